import { existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openServer } from '@confab/internal/test-support';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

const fileFor = (root: string, path: string): string | undefined =>
  [path, `${path}.html`, `${path}index.html`]
    .map((name) => join(root, name))
    .find((name) => existsSync(name) && statSync(name).isFile());

/** Serves a built site as GitHub Pages does: compressed, without `.html` in addresses, and with its page for 404. */
export const serveSite = async (root: string, base: string) => {
  const { url, close } = await openServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = path.startsWith(base) ? fileFor(root, path.slice(base.length)) : undefined;
    const sent = file ?? join(root, '404.html');
    response
      .writeHead(file === undefined ? 404 : 200, {
        'content-type': TYPES[extname(sent)] ?? 'application/octet-stream',
        'content-encoding': 'gzip',
        'cache-control': 'max-age=600',
      })
      .end(gzipSync(readFileSync(sent)));
  });
  return { url: url + base, close };
};
