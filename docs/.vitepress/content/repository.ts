import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder that VitePress reads its pages from: written by each build, and not committed. */
export const PAGES = fileURLToPath(new URL('../pages/', import.meta.url));

/** The text of a file, by its path in the repository. */
export const read = (path: string): string => readFileSync(ROOT + path, 'utf8');

/** Paths in the repository that match a pattern, in order; what was installed or built is left out. */
export const list = (...patterns: string[]): string[] =>
  globSync(patterns, {
    cwd: ROOT,
    exclude: (name) => /(?:^|\/)(?:node_modules|dist|bench|generated)$/.test(name),
  }).sort();
