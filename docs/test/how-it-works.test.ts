import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT, read } from '../.vitepress/content/repository.ts';

const page = read('docs/how-it-works.md');

/** A picture begins with the folder of its names. */
const inPictures = [...page.matchAll(/^```text\n(\S+)\n(.*?)^```$/gms)].flatMap(
  ([, folder = '', picture = '']) =>
    [...picture.matchAll(/(?<= )[\w/-]+(?:\/|\.ts)(?=\s)/g)].map(([name]) => folder + name),
);
const inText = [...page.matchAll(/`((?:packages|docs|test)\/[^`]*)`/g)].map(([, path = '']) => path);

test('the pictures and the table name files', () => {
  expect(inPictures.length).toBeGreaterThan(25);
  expect(inText.length).toBeGreaterThan(15);
});

test.for([...new Set([...inPictures, ...inText])])('%s exists', (path) => {
  expect(existsSync(ROOT + path)).toBe(true);
});

test.for(['README.md', 'CONTRIBUTING.md'])('%s links to the page', (path) => {
  expect(read(path)).toContain('](docs/how-it-works.md)');
});
