import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, with a slash at its end. */
export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder that VitePress reads its pages from: written by each build, and not committed. */
export const PAGES = fileURLToPath(new URL('../pages/', import.meta.url));

export const read = (path: string): string => readFileSync(ROOT + path, 'utf8');

/** Paths in the repository that match a pattern, in order. */
export const list = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: ROOT, exclude: (name) => name.endsWith('node_modules') }).sort();
