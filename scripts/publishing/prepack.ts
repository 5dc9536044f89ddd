/**
 * Runs in a package before it is packed: copies its guides into it, and makes the links in its Markdown files lead to each
 * other. A link to a file that is not packed leads to the repository in a release, which knows the repository's address;
 * otherwise it becomes plain text. `postpack.ts` undoes all of this.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { packLinks } from './pack-links.ts';
import { PACKED_DOCS } from './packed-docs.ts';
import { restore, save } from './saved-files.ts';

const name = basename(process.cwd());
const docs = (PACKED_DOCS[name] ?? []).map((page) => `docs/${page}`);
const { GITHUB_REPOSITORY, GITHUB_SERVER_URL = 'https://github.com' } = process.env;
const repository = GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined;

// An earlier run may have been interrupted.
restore();

const own = ['README.md', 'SKILL.md'];
const packed = new Map([
  ...own.map((file) => [`packages/${name}/${file}`, file] as const),
  ...docs.map((path) => [path, path] as const),
]);

for (const [source, path] of packed) {
  const markdown = readFileSync(`../../${source}`, 'utf8');
  if (own.includes(path)) {
    save(path);
  }
  mkdirSync(dirname(path), { recursive: true });
  // npm shows the README of a release without the files around it.
  const alone = repository !== undefined && path === 'README.md';
  writeFileSync(path, packLinks(markdown, { source, packed: alone ? new Map() : packed, repository }));
}

if (repository === undefined) {
  console.warn(
    `In the packed Markdown files of ${name}, links to files that are not packed become plain text, because GITHUB_REPOSITORY is not set. To point them at the repository, set it to owner/name.`,
  );
}
