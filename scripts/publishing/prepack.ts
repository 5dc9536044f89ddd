/**
 * Run in a package before it is packed: copies its guides into it, and makes links that would lead out of the tarball
 * absolute, if this is a release, which knows the repository's address. Elsewhere it warns, because they lead nowhere.
 * `postpack.ts` takes all of it back.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, posix } from 'node:path';
import { absoluteLinks, relativeLinks } from './absolute-links.ts';
import { PACKED_DOCS } from './packed-docs.ts';
import { SAVED } from './saved-readme.ts';

const name = basename(process.cwd());
const docs = PACKED_DOCS[name] ?? [];
const repository = process.env.GITHUB_REPOSITORY;
const url = repository && `${process.env.GITHUB_SERVER_URL ?? 'https://github.com'}/${repository}`;

const readme = readFileSync('README.md', 'utf8');
if (url) {
  copyFileSync('README.md', SAVED);
  writeFileSync('README.md', absoluteLinks(readme, { url, directory: `packages/${name}` }));
} else if (relativeLinks(readme).length > 0) {
  console.warn(
    `The packed README has ${relativeLinks(readme).length} links that lead nowhere, because GITHUB_REPOSITORY is not set. To make them absolute, set it to owner/name.`,
  );
}

rmSync('docs', { recursive: true, force: true });
const packed = docs.map((path) => `docs/${path}`);
for (const path of packed) {
  const markdown = readFileSync(`../../${path}`, 'utf8');
  mkdirSync(dirname(path), { recursive: true });
  const home = { url: url ?? '', directory: posix.dirname(path) };
  writeFileSync(path, url ? absoluteLinks(markdown, home, packed) : markdown);
}
