import { globSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Links in any form of Markdown or HTML that are neither absolute nor within the file. */
const RELATIVE = /(?:\]\(|^\[[^\]]+\]: *|\b(?:href|src)=")(?![a-z][a-z+.-]*:|#)[^)"\s]*/gim;

/** The links of a Markdown text that need the files around it. */
export const relativeLinks = (markdown: string): string[] => markdown.match(RELATIVE) ?? [];

/** The relative links of all Markdown files in a folder that lead to no file in it, each with its file. */
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
