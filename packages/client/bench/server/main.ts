/** The server of the benchmark, in a thread of its own: written by hand on node:http, and knows nothing of our code. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { answerOf } from './answers.ts';
import type { Enter } from './sliding-window.ts';
import { createSlidingWindow } from './sliding-window.ts';
import type { ServerOptions } from './start.ts';

const { total = 0, delayMs = 0, rateLimit } = workerData as ServerOptions;

const windows = new Map<string, Enter>();
let refused = 0;

const waitFor = (key: string): number => {
  if (rateLimit === undefined) {
    return 0;
  }
  const enter = windows.get(key) ?? createSlidingWindow(rateLimit);
  windows.set(key, enter);
  return enter(performance.now());
};

/** Made once each, so that the clients' work is what is measured. */
const bodies = new Map<string, Buffer>();

const bodyOf = (target: string): Buffer => {
  const body =
    bodies.get(target) ?? Buffer.from(JSON.stringify(answerOf(new URL(target, 'http://localhost'), total)));
  bodies.set(target, body);
  return body;
};

const server = createServer((request, response) => {
  const { url: target = '/', headers } = request;
  const send = (status: number, body: Buffer, more: Record<string, string | number> = {}) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': body.length,
      ...more,
    });
    response.end(body);
  };

  if (target === '/refused') {
    return send(200, Buffer.from(String(refused)));
  }
  const wait = waitFor(String(headers['x-api-key'] ?? headers.authorization));
  if (wait > 0) {
    refused += 1;
    const error = { success: false, error: 'Rate limit exceeded', code: 'RATE_LIMIT_EXCEEDED' };
    return send(429, Buffer.from(JSON.stringify(error)), {
      'x-ratelimit-limit': rateLimit?.requests ?? 0,
      'x-ratelimit-remaining': 0,
      'retry-after': Math.ceil(wait / 1000),
    });
  }
  const body = bodyOf(target);
  if (delayMs > 0) {
    setTimeout(send, delayMs, 200, body);
  } else {
    send(200, body);
  }
});

// Idle connections outlive the waits of the rate-limit run: no contender is to fail for a closed one.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port));
