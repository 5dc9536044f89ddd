import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { MockServer, ServeOptions } from '../../src/server/index.ts';
import { serve } from '../../src/server/index.ts';

interface Envelope {
  readonly data: object;
  readonly meta: { readonly total: number };
  readonly error: string;
  readonly code: string;
}

/** Sends a request, and resolves to its status and its envelope. */
export const requestJson = async (url: string, init: RequestInit = {}) => {
  const response = await fetch(url, init);
  return { status: response.status, ...((await response.json()) as Envelope) };
};

/** Creates a function that calls the control endpoints of a mock. It sends a text unchanged. */
export const controlOf =
  (baseUrl: string) =>
  (method: string, name: string, body?: unknown, headers: Record<string, string> = {}) => {
    const sent = typeof body === 'string' ? body : JSON.stringify(body);
    return requestJson(`${baseUrl}/__mock/${name}`, { method, headers, ...(sent && { body: sent }) });
  };

/** Starts a mock server that runs until it is closed, with a function that calls its control endpoints. */
export const startForFile = async (options: ServeOptions = {}, mockOptions: MockOptions = {}) => {
  const mock = createMock({ strict: true, ...mockOptions });
  const server = await serve(mock, options);
  return { mock, server, control: controlOf(server.url) };
};

/** {@link startForFile}, but the server runs until the end of the test. */
export const start = async (...options: Parameters<typeof startForFile>) => {
  const service = await startForFile(...options);
  onTestFinished(() => service.server.close());
  return service;
};

/** Creates a world over HTTP, with functions that call its API and its control endpoints. */
export const makeWorld = async ({ url }: Pick<MockServer, 'url'>, options: object = {}) => {
  const { data } = await controlOf(url)('POST', 'worlds', options);
  const world = data as Readonly<Record<'id' | 'path' | 'baseUrl' | 'apiKey', string>>;
  const api = (path: string, init: RequestInit = {}, key = world.apiKey) =>
    requestJson(`${world.baseUrl}/api/v2/public/${path}`, { headers: { 'x-api-key': key }, ...init });
  return { ...world, api, control: controlOf(world.baseUrl) };
};

/** Opens a connection for raw requests, and collects what the server sends until the connection is closed. */
export const connectTo = async (url: string, ...parts: string[]) => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)));
  await once(socket, 'connect');
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  for (const part of parts) {
    socket.write(part);
  }
  return { socket, closed };
};

/** Sends a raw request, which `fetch` would correct or refuse. Resolves to the raw response. */
export const sendRaw = async (url: string, lines: readonly string[], body = ''): Promise<string> => {
  const ending = ['connection: close', `content-length: ${Buffer.byteLength(body)}`, '', body];
  const { socket, closed } = await connectTo(url, [...lines, ...ending].join('\r\n'));
  socket.end();
  return closed;
};

/** The status of a raw response. */
export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
