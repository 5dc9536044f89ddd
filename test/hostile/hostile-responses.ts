import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { openServer } from '@confab/internal/test-support';

const GZIP = { 'content-type': 'application/json', 'content-encoding': 'gzip' };

const bomb = gzipSync(Buffer.alloc(300 * 1_048_576, 'x'), { level: 9 });
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const agents = Array.from({ length: 1_000 }, (_, index) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  name: 'x'.repeat(1_000),
  description: null,
  llmProvider: 'x',
  llmModel: null,
  updatedAt: '2026-01-01T00:00:00Z',
}));
const honest = JSON.stringify({ success: true, data: agents });

/** Writes pieces as fast as the client reads them. */
const pump = (response: ServerResponse, piece: () => string | Uint8Array | undefined): void => {
  const write = () => {
    for (let next = piece(); next !== undefined && !response.destroyed; next = piece()) {
      if (!response.write(next)) {
        return;
      }
    }
    response.off('drain', write).end();
  };
  response.on('drain', write);
  write();
};

/** The responses, by the names of their paths. */
const RESPONSES: Readonly<Record<string, (response: ServerResponse) => void>> = {
  honest: (response) => response.end(honest),
  'a gzip bomb': (response) => response.writeHead(200, GZIP).end(bomb),
  'a gzip bomb as an error': (response) => response.writeHead(500, GZIP).end(bomb),
  'one byte at a time': (response) => {
    // Each write becomes a chunk.
    let index = 0;
    pump(response, () => honest[index++]);
  },
  'an endless body': (response) => pump(response, () => Buffer.alloc(65_536, ' ')),
  'an endless error': (response) => pump(response.writeHead(503), () => Buffer.alloc(65_536, 'x')),
  'JSON nested 100,000 deep': (response) => response.end(nested),
  'an error nested 100,000 deep': (response) =>
    response.writeHead(400).end(`{"success":false,"code":"X","error":${nested}}`),
};

/** Serves the hostile responses, each below a path of its name. */
export const serveHostileResponses = () =>
  openServer((request, response) => {
    response.on('error', () => {}).setHeader('content-type', 'application/json');
    RESPONSES[decodeURIComponent(request.url?.split('/')[1] ?? '')]?.(response);
  });
