import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const MIB = 1_048_576;
const JSON_TYPE = { 'content-type': 'application/json' };

const bomb = gzipSync(Buffer.alloc(300 * MIB, 'x'), { level: 9 });
const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

const agent = (index: number) => ({
  id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
  name: 'x'.repeat(1_000),
  description: null,
  llmProvider: 'x',
  llmModel: null,
  updatedAt: '2026-01-01T00:00:00Z',
});
const honest = JSON.stringify({
  success: true,
  data: Array.from({ length: 1_000 }, (_, index) => agent(index)),
});

const forever = (response: ServerResponse, piece: Uint8Array): void => {
  const pump = () => {
    while (!response.destroyed && response.write(piece)) {}
  };
  response.on('drain', pump);
  pump();
};

/** What each path answers. */
const hostileAnswers: Readonly<Record<string, (response: ServerResponse) => void>> = {
  honest: (response) => response.writeHead(200, JSON_TYPE).end(honest),
  'gzip bomb': (response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb),
  'gzip bomb as an error': (response) =>
    response.writeHead(500, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb),
  'one byte at a time': (response) => {
    response.writeHead(200, JSON_TYPE);
    response.flushHeaders();
    const thousand = '1\r\n \r\n'.repeat(1_000);
    let left = 2_000;
    const { socket } = response;
    const pump = () => {
      while (left > 0 && socket !== null && !socket.destroyed) {
        left -= 1;
        if (!socket.write(thousand)) {
          return;
        }
      }
      socket?.off('drain', pump);
      socket?.end(`${honest.length.toString(16)}\r\n${honest}\r\n0\r\n\r\n`);
    };
    socket?.on('drain', pump);
    pump();
  },
  'an endless body': (response) => forever(response.writeHead(200, JSON_TYPE), Buffer.alloc(65_536, ' ')),
  'an endless error': (response) =>
    forever(response.writeHead(503, { 'content-type': 'text/html' }), Buffer.alloc(65_536, 'x')),
  'JSON nested 100,000 deep': (response) => response.writeHead(200, JSON_TYPE).end(nested),
  'an error nested 100,000 deep': (response) =>
    response.writeHead(400, JSON_TYPE).end(`{"success":false,"code":"X","error":${nested}}`),
};

/** Serves them, each below a path of its name. */
export const serveHostileAnswers = (): Server =>
  createServer((request: IncomingMessage, response) => {
    const name = decodeURIComponent(request.url?.split('/')[1] ?? '');
    response.on('error', () => {});
    hostileAnswers[name]?.(response);
  });
