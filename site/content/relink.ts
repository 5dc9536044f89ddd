import { posix } from 'node:path';
import { addressOf, pageOf } from './sources.ts';

/** Code, where nothing is a link, or else a link with a relative target; pictures are not links. */
const CODE_OR_LINK =
  /^( *)(`{3,}).*?^\1\2$|`[^`\n]*`(?!\])|(?<!!)\[((?:`[^`]*`|[^\][`])*)\]\((?!\w+:|#)([^)\s#]*)(#[^)\s]*)?\)/gms;

/**
 * Points the relative links of a Markdown file at the pages of the site. A link to a file that has no page leads to the
 * repository if its address is known; otherwise only the link's text remains.
 *
 * @param source The path of the file in the repository.
 * @param repository The address of the repository's files, such as `https://github.com/owner/name/blob/main`.
 */
export const relink = (markdown: string, source: string, repository?: string | undefined): string =>
  markdown.replaceAll(CODE_OR_LINK, (whole, _indent, _fence, text?: string, target?: string, anchor = '') => {
    if (text === undefined || target === undefined) {
      return whole;
    }
    const path = posix.join(posix.dirname(source), target);
    const page = pageOf(path) ?? pageOf(`${path}/README.md`);
    if (page !== undefined) {
      return `[${text}](${addressOf(page)}${anchor})`;
    }
    return repository === undefined ? text : `[${text}](${repository}/${path}${anchor})`;
  });
