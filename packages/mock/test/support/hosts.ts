import type { OperationId, PaginationMeta } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { setupServer } from 'msw/node';
import { onTestFinished } from 'vitest';
import type { Mock, MockClientOptions, MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { RemoteMock } from '../../src/remote/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { start } from './serving.ts';

/** A phone number for tests in which the number does not matter. */
export const PHONE = '+5511987654321';

interface TestRequest {
  /** `null` sends none. Default: the key with every scope. */
  readonly key?: string | null;
  readonly id?: string;
  readonly query?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, unless it is a string or bytes. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** The fields of every kind of envelope. */
interface Envelope<Data> {
  readonly success: boolean;
  readonly data: Data;
  readonly meta: PaginationMeta;
  readonly error: string;
  readonly code: string;
}

const asSent = (body: unknown): string | Uint8Array<ArrayBuffer> =>
  typeof body === 'string' || body instanceof Uint8Array
    ? (body as string | Uint8Array<ArrayBuffer>)
    : JSON.stringify(body);

/** Creates a function that sends a request for an operation, or for a `METHOD /path`. */
const sender =
  (mock: Mock, baseUrl: string, fetch: (url: string, init: RequestInit) => Promise<Response>) =>
  async <Data = unknown>(
    target: OperationId | `${string} /${string}`,
    { key = mock.apiKey, id = '', query = '', headers, body, signal }: TestRequest = {},
  ) => {
    const known = Object.values(operations).find((operation) => operation.id === target);
    const [method = '', path = ''] = known ? [known.method, known.path] : target.split(' ');
    const response = await fetch(`${baseUrl}${path.replace('{id}', id)}${query && `?${query}`}`, {
      method,
      headers: { ...(key !== null && { 'x-api-key': key }), ...headers },
      ...(body !== undefined && { body: asSent(body) }),
      ...(signal && { signal }),
    });
    const envelope = (await response.json()) as Envelope<Data>;
    return { status: response.status, headers: response.headers, body: envelope };
  };

/** A mock, and how to reach it. */
export interface Opened {
  readonly mock: Mock;
  /** The options of a client that reaches the mock in this way, on the clock of the mock. */
  readonly clientOptions: Omit<MockClientOptions, 'fetch'> & Partial<MockClientOptions>;
  readonly send: ReturnType<typeof sender>;
}

/** Opens a mock that is reached by `mock.fetch`. By default, it is strict. */
export const open = (options: MockOptions = {}): Opened => {
  const mock = createMock({ strict: true, ...options });
  return { mock, clientOptions: mock.clientOptions, send: sender(mock, mock.baseUrl, mock.fetch) };
};

/** A mock that the platform's `fetch` reaches. */
const overPlatform = (mock: Mock, baseUrl: string): Opened => {
  const { fetch: _, ...options } = mock.clientOptions;
  return { mock, clientOptions: { ...options, baseUrl }, send: sender(mock, baseUrl, fetch) };
};

const openMsw = (options: MockOptions = {}): Opened => {
  const mock = createMock({ strict: true, ...options });
  const server = setupServer(...mock.handlers);
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  return overPlatform(mock, mock.baseUrl);
};

const openServer = async (options: MockOptions = {}): Promise<Opened> => {
  const { mock, server } = await start({}, options);
  return overPlatform(mock, server.url);
};

/** The three ways to reach a mock. Each one is open until the end of the test. */
export const hosts: readonly { name: string; open: (options?: MockOptions) => Opened | Promise<Opened> }[] = [
  { name: 'mock.fetch', open },
  { name: 'msw', open: openMsw },
  { name: 'serve()', open: openServer },
];

/** A local mock, or the remote twin of one, which is controlled over HTTP. */
interface OpenedTwin {
  readonly mock: Mock | RemoteMock;
  readonly send: Opened['send'];
}

const openRemote = async (options: MockOptions = {}): Promise<OpenedTwin> => {
  const service = await openServer(options);
  const mock = await connectMock(service.clientOptions.baseUrl);
  return { ...service, mock };
};

/** {@link hosts}, and a mock whose rows, clock and log are reached through `connectMock`. */
export const twins: readonly {
  name: string;
  open: (options?: MockOptions) => OpenedTwin | Promise<OpenedTwin>;
}[] = [...hosts, { name: 'connectMock', open: openRemote }];
