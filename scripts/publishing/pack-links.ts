import { posix } from 'node:path';
import { replaceLinks } from '../markdown/replace-links.ts';
import { PACKED_DOCS } from './packed-docs.ts';

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
 * repository if its address is known. Otherwise, the text of the link remains, or the picture's alternative text, and the
 * place of the file if a different package contains it.
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
    if (repository === undefined) {
      const [other] = Object.entries(PACKED_DOCS).find(([, docs]) => docs.includes(path.slice(5))) ?? [];
      return other === undefined ? text : `${text} (\`${path}\` in @confab/${other})`;
    }
    // GitHub returns the bytes of a picture only below `raw`.
    return `${link}(${repository}/${picture ? 'raw' : 'blob'}/main/${path}${anchor})`;
  });
