/**
 * Run in a package before it is packed. In a release, which knows the repository's address, the README's relative links
 * become absolute; `postpack.ts` takes that back.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { absoluteLinks } from './absolute-links.ts';
import { SAVED } from './saved-readme.ts';

const repository = process.env.GITHUB_REPOSITORY;
if (repository) {
  const url = `${process.env.GITHUB_SERVER_URL ?? 'https://github.com'}/${repository}`;
  copyFileSync('README.md', SAVED);
  const home = { url, directory: `packages/${basename(process.cwd())}` };
  writeFileSync('README.md', absoluteLinks(readFileSync('README.md', 'utf8'), home));
}
