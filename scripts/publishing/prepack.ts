/**
 * Run in a package before it is packed. In a release, which knows the repository's address, the README's relative links
 * become absolute; `postpack.ts` takes that back. Elsewhere it warns, because they lead nowhere in the tarball.
 */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { absoluteLinks, relativeLinks } from './absolute-links.ts';
import { SAVED } from './saved-readme.ts';

const readme = readFileSync('README.md', 'utf8');
const repository = process.env.GITHUB_REPOSITORY;
if (repository) {
  const url = `${process.env.GITHUB_SERVER_URL ?? 'https://github.com'}/${repository}`;
  copyFileSync('README.md', SAVED);
  const home = { url, directory: `packages/${basename(process.cwd())}` };
  writeFileSync('README.md', absoluteLinks(readme, home));
} else if (relativeLinks(readme).length > 0) {
  console.warn(
    `The packed README has ${relativeLinks(readme).length} links that lead nowhere, because GITHUB_REPOSITORY is not set. To make them absolute, set it to owner/name.`,
  );
}
