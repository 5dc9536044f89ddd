import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT, read } from '../.vitepress/content/repository.ts';

const page = read('docs/how-it-works.md');

/** The files in pictures. The first line of a picture is their folder. */
const inPictures = [...page.matchAll(/^```text\n(\S+)\n(.*?)^```$/gms)].flatMap(
  ([, folder = '', picture = '']) =>
    [...picture.matchAll(/(?<= )[\w/-]+(?:\/|\.ts)(?=[\s,])/g)].map(([name]) => folder + name),
);
const PATH = /`((?:packages|docs|test)\/[^`]*)`/g;
const inText = [...page.matchAll(PATH)].map(([, path = '']) => path);

/** The files that the text names without their folder, each with the places where it may be. */
const shortNames = page.split(/^## /m).flatMap((section) => {
  const [, inPicture = ''] = /^```text\n(\S+)\n/m.exec(section) ?? [];
  return section.split(/\n(?=\n|[|-] )/).flatMap((block) => {
    const folders = [inPicture, ...[...block.matchAll(PATH)].map(([, path = '']) => path)];
    return [...block.matchAll(/`(?!(?:packages|docs|test)\/)([\w/-]+\.ts)`/g)].map(([, name = '']) => ({
      name,
      places: folders.filter((folder) => folder.endsWith('/')).map((folder) => folder + name),
    }));
  });
});

test('docs/how-it-works.md names files in its pictures and in its text', () => {
  expect(inPictures.length).toBeGreaterThan(40);
  expect(inText.length).toBeGreaterThan(70);
  expect(shortNames.length).toBeGreaterThan(30);
});

test.for([...new Set([...inPictures, ...inText])])('%s, named in docs/how-it-works.md, exists', (path) => {
  expect(existsSync(ROOT + path)).toBe(true);
});

test.for(shortNames)('$name, named in docs/how-it-works.md, exists in one of $places', ({ places }) => {
  expect(places.filter((path) => existsSync(ROOT + path))).toHaveLength(1);
});

test.for(['README.md', 'CONTRIBUTING.md'])('%s links to docs/how-it-works.md', (path) => {
  expect(read(path)).toContain('](docs/how-it-works.md)');
});
