import { globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Matches links in Markdown or HTML that are neither absolute nor within the file. */
const RELATIVE = /(?:\]\(|^\[[^\]]+\]: *|\b(?:href|src)=")(?![a-z][a-z+.-]*:|#)[^)"\s]*/gim;

/** Finds the links of a Markdown text that need the files around it. */
export const relativeLinks = (markdown: string): string[] => markdown.match(RELATIVE) ?? [];

/** Finds the relative links in the Markdown files of a folder that do not lead to a file in it, each with its file. */
export const brokenLinksIn = (folder: string): string[] =>
  globSync('**/*.md', { cwd: folder }).flatMap((file) =>
    relativeLinks(readFileSync(join(folder, file), 'utf8'))
      .map((link) => link.replace(/^.*[("]|^\[.*\]: */, '').replace(/#.*$/, ''))
      .filter((target) => {
        const path = posix.join(posix.dirname(file), target);
        return path.startsWith('..') || !statSync(join(folder, path), { throwIfNoEntry: false })?.isFile();
      })
      .map((target) => `${file} has a link to ${target}, which is not packed`),
  );
