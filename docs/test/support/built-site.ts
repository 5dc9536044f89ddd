import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where `pnpm run docs` writes the site. */
export const DIST: string = join(import.meta.dirname, '../../.vitepress/dist');

/** Finds the path below which a site was built. */
export const baseOf = (dist: string): string =>
  /<link rel="icon"[^>]* href="([^"]*)logo\.svg"/.exec(readFileSync(join(dist, 'index.html'), 'utf8'))?.[1] ??
  '/';
