import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { fastifyWebhooks } from '../../src/adapters/fastify.ts';
import { toNodeHandler } from '../../src/adapters/node.ts';
import { createWebhooks } from '../../src/create-webhooks.ts';

// A receiver in its own process, separate from the memory of the test. Each input line asks for the measurements. Once the
// input has ended, nothing but the server keeps the process alive, and SIGTERM closes it.
const webhooks = createWebhooks({ secret: 'a secret of the test', signature: { header: 'x-sig' } });
const app = fastify();
app.register(fastifyWebhooks, { webhooks });
await app.ready();

const overFetch: RequestListener = async (request, response) => {
  const body = Readable.toWeb(request) as ReadableStream<Uint8Array>;
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  const result = await webhooks.fetch(new Request('https://receiver.test/', init));
  response.writeHead(result.status).end(await result.text());
};

const handlers: Record<string, RequestListener> = {
  'node:http': toNodeHandler(webhooks),
  Fastify: app.routing,
  'webhooks.fetch': overFetch,
};
const handle = handlers[process.argv[2] ?? ''];

process.once('SIGTERM', () => server.close(() => process.stdout.write('closed\n')));

let read = 0;
const server = createServer((request, response) => {
  const { socket } = request;
  socket.once('close', () => {
    read += socket.bytesRead;
  });
  return handle?.(request, response);
});
server.listen(0, '127.0.0.1', () => {
  process.stdin.on('data', () => {
    const { port } = server.address() as AddressInfo;
    // The peak of resident memory since the start, in bytes.
    const peak = process.resourceUsage().maxRSS * 1024;
    process.stdout.write(`${JSON.stringify({ port, peak, read })}\n`);
  });
});
