import { posix } from 'node:path';
import { replaceLinks } from '../markdown/replace-links.ts';

/** A Markdown file that is packed, and the files around it. */
interface Surroundings {
  /** The path of the file in the repository. */
  readonly source: string;
  /** The paths in the tarball of all packed files, by their paths in the repository. */
  readonly packed: ReadonlyMap<string, string>;
  /** The address of the repository, such as `https://github.com/owner/name`, if it is known. */
  readonly repository?: string | undefined;
}

/**
 * Points the relative links of a packed Markdown file at files of the same tarball. A link to any other file leads to the
 * repository if its address is known; otherwise only the text of the link, or the picture's alternative text, remains.
 */
export const packLinks = (markdown: string, { source, packed, repository }: Surroundings): string =>
  replaceLinks(markdown, ({ text, target, anchor, picture }) => {
    const path = posix.join(posix.dirname(source), target);
    const place = packed.get(path);
    const link = `${picture ? '!' : ''}[${text}]`;
    if (place !== undefined) {
      const folder = posix.dirname(packed.get(source) ?? source);
      return `${link}(${posix.relative(folder, place)}${anchor})`;
    }
    // GitHub returns the bytes of a picture only below `raw`.
    return repository === undefined
      ? text
      : `${link}(${repository}/${picture ? 'raw' : 'blob'}/main/${path}${anchor})`;
  });
