import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { CONTROL_PREFIX } from '../control/routes.ts';
import { notFound } from '../errors/refusal.ts';
import type { ServiceResponse } from '../request/envelope.ts';

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

const INDEX = 'index.html';

/** The page finds its files by relative paths, because worlds have it too. */
const REDIRECT: ServiceResponse = {
  status: 308,
  headers: { location: '__mock/' },
  body: '',
};

const toResponse = (path: string, body: string): ServiceResponse => ({
  status: 200,
  headers: {
    ...SECURITY,
    'content-type': TYPES[extname(path)] ?? 'text/plain',
    // The names of all other files contain a hash of what is in them.
    'cache-control': path === INDEX ? 'no-cache' : 'public, max-age=31536000, immutable',
    ...(path === INDEX ? { vary: 'accept' } : {}),
  },
  body,
});

/** In the sources and in a build alike, wherever a bundler has put this code within the package. */
const builtFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@confab/mock/package.json')), 'dist/inspector');

/** @throws {@link Refusal} 404, when the files are missing. */
const readFiles = (root = builtFolder()): ReadonlyMap<string, ServiceResponse> => {
  try {
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (path) => TYPES[extname(path)] !== undefined,
    );
    return new Map(
      paths.map((path) => [
        path.replaceAll('\\', '/'),
        toResponse(path, readFileSync(join(root, path), 'utf8')),
      ]),
    );
  } catch {
    throw notFound(
      'The files of the inspector are missing. They are part of the package @confab/mock; in a checkout, run `pnpm build`.',
    );
  }
};

/** Returns the file of the inspector at a path such as `/__mock/`, if there is one. */
export type Inspector = (path: string) => ServiceResponse | undefined;

/**
 * The files of the inspector, which are read when they are first asked for. They contain no secret, and the page has to ask
 * for the admin token, so they need none.
 *
 * @param folder Where they are, if not in this package.
 */
export const createInspector = (folder?: string): Inspector => {
  let files: ReadonlyMap<string, ServiceResponse> | undefined;
  return (path) => {
    if (path === CONTROL_PREFIX.slice(0, -1)) {
      return REDIRECT;
    }
    files ??= readFiles(folder);
    return files.get(path === CONTROL_PREFIX ? INDEX : path.slice(CONTROL_PREFIX.length));
  };
};
