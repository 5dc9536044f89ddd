import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
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

type Files = ReadonlyMap<string, ServiceResponse>;

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
  ending: 'complete',
});

/** In the sources and in a build alike, wherever a bundler has put this code within the package. */
const builtFolder = (): string =>
  join(dirname(createRequire(import.meta.url).resolve('@confab/mock/package.json')), 'dist/inspector');

/** @throws {@link Refusal} 404, when the files are missing. */
const readFiles = (folder: string | undefined): Files => {
  try {
    const root = folder ?? builtFolder();
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

/** The files of the inspector, which are read when they are first asked for. */
export class Inspector {
  readonly #folder: string | undefined;
  #files: Files | undefined;

  /**
   * @param folder Where they are.
   * @default in this package
   */
  constructor(folder?: string | undefined) {
    this.#folder = folder;
  }

  /**
   * The page of the inspector.
   *
   * @throws {@link Refusal} 404, when its files are missing.
   */
  page(): ServiceResponse {
    return this.file(INDEX) ?? toResponse(INDEX, '');
  }

  /**
   * One of the files that the page loads, by its path below `/__mock/`.
   *
   * @throws {@link Refusal} 404, when all of them are missing.
   */
  file(path: string): ServiceResponse | undefined {
    this.#files ??= readFiles(this.#folder);
    return this.#files.get(path);
  }
}
