import { posix } from 'node:path';

/** Where a file is, for those who read it on npm. */
export interface Home {
  /** `https://github.com/owner/name`. */
  readonly url: string;
  /** The folder of the file, seen from the root of the repository. */
  readonly directory: string;
}

const LINK = /(?<before>\]\()(?<target>[^)\s#]+)(?<after>[^)]*\))/g;

/** Links in any form of Markdown or HTML that are neither absolute nor within the file. */
const RELATIVE = /(?:\]\(|^\[[^\]]+\]: *|\b(?:href|src)=")(?![a-z][a-z+.-]*:|#)[^)"\s]*/gim;

/** The links of a Markdown text that need the files around it. */
export const relativeLinks = (markdown: string): string[] => markdown.match(RELATIVE) ?? [];

/** The files that these links lead to, seen from the folder of the text. */
export const relativeTargets = (markdown: string): string[] =>
  relativeLinks(markdown).map((link) => link.replace(/^.*[("]|^\[.*\]: */, '').replace(/#.*$/, ''));

/**
 * Makes the relative links of a Markdown text lead to the repository, since npm shows it without the files around it.
 *
 * @param packed Paths of files that are packed with it, seen from the root of the repository. Links to them stay.
 */
export const absoluteLinks = (
  markdown: string,
  { url, directory }: Home,
  packed: readonly string[] = [],
): string =>
  markdown.replace(LINK, (link, before: string, target: string, after: string) => {
    const path = posix.normalize(posix.join(directory, target));
    if (/^[a-z][a-z+.-]*:/i.test(target) || packed.includes(path)) {
      return link;
    }
    return `${before}${url}/blob/main/${path}${after}`;
  });
