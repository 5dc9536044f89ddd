import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { notFound } from '../errors/refusal.ts';
import type { ServiceResponse } from '../request/envelope.ts';
import { CONTROL_PREFIX } from './routes.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The page loads nothing but its own files, and sends nothing but requests to this server. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const SECURITY = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

/** The page loads its files from relative paths, because worlds serve it too. */
const REDIRECT: ServiceResponse = {
  status: 308,
  headers: { location: '__mock/' },
  body: '',
};

const INDEX = 'index.html';

/** The files of the inspector that can be read, by their paths in its folder. */
const FILE = /^(?:index\.html|inspector\/[\w-]+\.(?:js|css|svg))$/;

/** Finds the folder from that of the package, because a bundler may move this code within the package. */
const findFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@confab/mock/package.json')), 'dist/inspector');

/**
 * Returns the file of the inspector at a path such as `/__mock/`, if there is one. The files need no admin token: they
 * contain no secret, and the page has to ask for the token.
 *
 * @throws A {@link Refusal} 404, when the file is missing.
 */
export type Inspector = (path: string) => ServiceResponse | undefined;

/** @param folder The folder with the files, if they are not in this package. */
export const createInspector =
  (folder?: string): Inspector =>
  (path) => {
    if (!path.startsWith(CONTROL_PREFIX)) {
      return REDIRECT;
    }
    const name = path.slice(CONTROL_PREFIX.length) || INDEX;
    if (!FILE.test(name)) {
      return undefined;
    }
    try {
      return {
        status: 200,
        headers: {
          ...SECURITY,
          'content-type': TYPES[extname(name)] ?? '',
          // The names of all other files contain a hash of their content.
          'cache-control': name === INDEX ? 'no-cache' : 'public, max-age=31536000, immutable',
          ...(name === INDEX && { vary: 'accept' }),
        },
        body: readFileSync(join(folder ?? findFolder(), name), 'utf8'),
      };
    } catch {
      throw notFound(
        'The inspector has no such file. Its files are part of the package @confab/mock; in a checkout, run `pnpm build`.',
      );
    }
  };
