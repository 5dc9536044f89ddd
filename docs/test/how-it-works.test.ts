import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT, read } from '../.vitepress/content/repository.ts';

const page = read('docs/how-it-works.md');

/** The files in pictures. The first line of a picture is their folder. */
const inPictures = [...page.matchAll(/^```text\n(\S+)\n(.*?)^```$/gms)].flatMap(
  ([, folder = '', picture = '']) =>
    [...picture.matchAll(/(?<= )[\w/-]+(?:\/|\.ts)(?=\s)/g)].map(([name]) => folder + name),
);
const inText = [...page.matchAll(/`((?:packages|docs|test)\/[^`]*)`/g)].map(([, path = '']) => path);

test('docs/how-it-works.md names files in its pictures and in its text', () => {
  expect(inPictures.length).toBeGreaterThan(25);
  expect(inText.length).toBeGreaterThan(15);
});

test.for([...new Set([...inPictures, ...inText])])('%s, named in docs/how-it-works.md, exists', (path) => {
  expect(existsSync(ROOT + path)).toBe(true);
});

test.for(['README.md', 'CONTRIBUTING.md'])('%s links to docs/how-it-works.md', (path) => {
  expect(read(path)).toContain('](docs/how-it-works.md)');
});
