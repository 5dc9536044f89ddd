import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { ServeOptions } from '../../src/server/index.ts';
import { serve } from '../../src/server/index.ts';

/** A mock that is served until it is closed, and a way to its control endpoints. */
export const startForFile = async (options: ServeOptions = {}, mockOptions: MockOptions = {}) => {
  const mock = createMock({ strict: true, ...mockOptions });
  const server = await serve(mock, options);
  const control = async (
    method: string,
    name: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const response = await fetch(`${server.url}/__mock/${name}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { data: unknown; error: string; code: string };
    return { status: response.status, ...answer };
  };
  return { mock, server, control };
};

/** The same until the end of the test. */
export const start = async (...options: Parameters<typeof startForFile>) => {
  const service = await startForFile(...options);
  onTestFinished(() => service.server.close());
  return service;
};

/** Sends a request as it is written, where `fetch` would mend or refuse it; resolves to all that comes back. */
export const sendRaw = (url: string, lines: readonly string[], body = ''): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const ending = ['connection: close', `content-length: ${Buffer.byteLength(body)}`, '', body];
    const socket = connect(Number(port), hostname, () => {
      socket.end([...lines, ...ending].join('\r\n'));
    });
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });

/** The status in a whole answer. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
