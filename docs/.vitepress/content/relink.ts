import { posix } from 'node:path';
import { replaceLinks } from '../../../scripts/markdown/replace-links.ts';
import { addressOf, pageOf } from './sources.ts';

/**
 * Points the relative links of a Markdown file at the pages of the site. A link to a file that has no page leads to the
 * repository if its address is known; otherwise only the link's text remains. Pictures stay.
 *
 * @param source The path of the file in the repository.
 * @param repository The address of the repository's files, such as `https://github.com/owner/name/blob/main`.
 */
export const relink = (markdown: string, source: string, repository?: string | undefined): string =>
  replaceLinks(markdown, ({ text, target, anchor, picture }) => {
    if (picture) {
      return undefined;
    }
    const path = posix.join(posix.dirname(source), target);
    const page = pageOf(path) ?? pageOf(`${path}/README.md`);
    if (page !== undefined) {
      return `[${text}](${addressOf(page)}${anchor})`;
    }
    return repository === undefined ? text : `[${text}](${repository}/${path}${anchor})`;
  });
