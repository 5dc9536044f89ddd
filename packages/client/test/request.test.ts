import { inspect } from 'node:util';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';
import type { CallEndEvent, ClientOptions, StandardSchema } from '../src/index.ts';
import {
  ConfabError,
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
} from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { KEY } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { drop, failure, json, startServer, success } from './support/server.ts';

const PATH = '/api/v2/public/tags';

const clientOf = (url: string, options: ClientOptions = {}) =>
  clientAt(url, { clock: createTestClock(), ...options });

test('confab.request sends the query and body, and resolves with the data of the envelope', async () => {
  const server = await startServer(success({ id: 7 }));
  const data = await clientOf(server.url).request({
    method: 'POST',
    path: PATH,
    query: { dry: true, limit: 5, note: 'a&b', absent: undefined },
    body: { name: 'new' },
  });
  expect(data).toEqual({ id: 7 });
  expectTypeOf(data).toBeUnknown();
  expect(server.arrivals).toMatchObject([
    { method: 'POST', path: PATH, body: '{"name":"new"}', headers: { 'x-api-key': KEY } },
  ]);
  expect(server.arrivals[0]?.query.toString()).toBe('dry=true&limit=5&note=a%26b');
});

test.each([
  ['GET', undefined, 2],
  ['HEAD', undefined, 2],
  ['PUT', undefined, 2],
  ['DELETE', undefined, 2],
  ['POST', undefined, 1],
  ['PATCH', undefined, 1],
  ['POST', true, 2],
  ['GET', false, 1],
] as const)(
  'after a lost connection, a %s with idempotent: %s is sent %d times',
  async (method, idempotent, times) => {
    const server = await startServer(drop);
    const confab = clientOf(server.url, { retry: { limit: 1, baseDelay: 0 } });
    await errorOf(confab.request({ method, path: PATH, idempotent }), ConnectionError);
    expect(server.arrivals).toHaveLength(times);
  },
);

test.each([
  [`${PATH}?phone=${KEY}`, `POST ${PATH}`],
  [`https://evil.example${PATH}`, `POST ${PATH}`],
  [`/tags/${KEY}/../\u202e\nx`, 'POST /tags/[redacted]/../ x'],
  [7, 'POST …'],
  [Object.create(null), 'POST …'],
])('an error of a request that was not sent names its method and path: %j', async (path, label) => {
  const call = clientOf('https://api.example.com').request({ method: 'POST', path });
  const error = await errorOf(call, InvalidRequestError);
  expect(error.message.split('\n')[0]).toBe(`${label} was not sent because its input is invalid.`);
  expect(error.operation).toBe('request');
});

test('errors of an idempotent request say that sending it again does no harm', async () => {
  for (const respond of [drop, failure(503, 'DOWN'), json(200, 'no envelope')]) {
    const server = await startServer(respond);
    const confab = clientOf(server.url, { retry: false });
    for (const idempotent of [true, false]) {
      const call = confab.request({ method: 'POST', path: PATH, idempotent });
      const { message } = await errorOf(call, ConfabError);
      const advice = idempotent ? 'sending it again does no harm' : 'check before you send it again';
      expect(message).toContain(`The service may have acted: ${advice}.`);
    }
  }
});

test('a 204 and a HEAD resolve with undefined, and any other response must have an envelope', async () => {
  const empty = (status: number) => json(status, undefined);
  const server = await startServer(
    (_, response) => void response.writeHead(204).end(),
    (_, response) => void response.writeHead(200, { 'x-total': '3' }).end(),
    empty(200),
  );
  const confab = clientOf(server.url);
  expect(await confab.request({ method: 'DELETE', path: PATH })).toBeUndefined();
  const { response } = await confab.request({ method: 'HEAD', path: PATH }).withResponse();
  expect(response.headers['x-total']).toBe('3');
  await errorOf(confab.request({ method: 'GET', path: PATH }), InvalidResponseError);
});

const Tag = z.object({ id: z.number(), names: z.array(z.string()) });

test('a schema checks, converts and types the data', async () => {
  const server = await startServer(success({ id: 7, names: ['a'], more: true }));
  const tag = await clientOf(server.url).request({ method: 'GET', path: PATH, schema: Tag });
  expectTypeOf(tag).toEqualTypeOf<{ id: number; names: string[] }>();
  expect(tag).toEqual({ id: 7, names: ['a'] });
});

test('data that does not match its schema throws an InvalidResponseError with its issues', async () => {
  const server = await startServer(success({ id: '7', names: ['a', 1] }));
  const call = clientOf(server.url).request({ method: 'GET', path: PATH, schema: Tag });
  const error = await errorOf(call, InvalidResponseError);
  expect(error.operation).toBe('request');
  expect(error.issues.map(({ path }) => path)).toEqual(['data.id', 'data.names[1]']);
  expect((await call.asResponse()).status).toBe(200);
});

/** Writes a Standard Schema by hand, as libraries other than zod do. */
const schemaOf = <Output>(
  validate: StandardSchema<Output>['~standard']['validate'],
): StandardSchema<Output> => ({ '~standard': { version: 1, vendor: 'test', validate } });

test('a schema may be asynchronous, and its issues may have any path', async () => {
  const server = await startServer(success('x'));
  const confab = clientOf(server.url);
  const valid = schemaOf(async () => ({ value: new Date(0) }));
  const date = await confab.request({ method: 'GET', path: PATH, schema: valid });
  expectTypeOf(date).toEqualTypeOf<Date>();
  expect(date).toEqual(new Date(0));
  const invalid = schemaOf(async () => ({
    issues: [{ message: `is not ${KEY}`, path: [{ key: 'a' }, 0] }, { message: 'is wrong' }],
  }));
  const error = await errorOf(
    confab.request({ method: 'GET', path: PATH, schema: invalid }),
    InvalidResponseError,
  );
  expect(error.issues).toEqual([
    { path: 'data.a[0]', message: 'is not [redacted]' },
    { path: 'data', message: 'is wrong' },
  ]);
});

const raise = (error: unknown): never => {
  throw error;
};

/** Sends a request whose response has this schema, to a service that responds with `'x'`. */
const withSchema = (validate: (value: unknown) => unknown, options?: ClientOptions) =>
  clientOf('https://api.example.com', {
    fetch: async () => Response.json({ success: true, data: 'x' }),
    ...options,
  }).request({ method: 'GET', path: PATH, schema: schemaOf(validate as never) });

test.each<[string, (error: Error) => unknown]>([
  ['throws', (error) => raise(error)],
  ['rejects', (error) => Promise.reject(error)],
])('a schema that %s throws an InvalidResponseError without the key', async (_, fail) => {
  const call = withSchema(() => fail(new TypeError(`no\n${KEY}`)));
  const error = await errorOf(call, InvalidResponseError);
  expect(error).toMatchObject({
    operation: 'request',
    status: 200,
    cause: { name: 'TypeError', message: 'no [redacted]' },
  });
  expect(error.message).toBe(`The \`schema\` of GET ${PATH} threw an error: no [redacted].`);
  expect(inspect(error, { depth: 9 })).not.toContain(KEY);
});

test.each([undefined, 'yes', { issues: 'bad' }, { issues: [null] }])(
  'a schema that returns %j is refused as not a Standard Schema',
  async (result) => {
    const error = await errorOf(
      withSchema(() => result),
      ConfigurationError,
    );
    expect(error.message).toMatch(/^The `schema` of GET \/.* is not a Standard Schema: /);
  },
);

test.each([
  ['total timeout', 'error', { kind: 'total', operation: 'request', attempts: 1 }],
  ['signal', 'aborted', { message: 'enough' }],
])('the %s of a call ends the wait for a schema that never settles', async (end, outcome, facts) => {
  const ends: CallEndEvent[] = [];
  const clock = createTestClock();
  const controller = new AbortController();
  const schema = schemaOf<never>(() => {
    queueMicrotask(() => (end === 'signal' ? controller.abort(new Error('enough')) : clock.advance(200)));
    return new Promise(() => {});
  });
  const call = clientOf('https://api.example.com', {
    fetch: async () => Response.json({ success: true, data: 'x' }),
    hooks: { onCallEnd: (event) => void ends.push(event) },
    totalTimeout: 200,
    clock,
  }).request({ method: 'POST', path: PATH, schema }, { signal: controller.signal });
  const error = await errorOf(call, Error);
  expect(error).toMatchObject(facts);
  expect(ends).toMatchObject([{ outcome, attempts: 1, error }]);
});

const queries = ['page=2', ['a'], new URLSearchParams('page=2'), new Map([['page', '2']]), { a: [1] }, null];
const bodies = [new FormData(), new Map([['a', 1]]), new Uint8Array(3), Promise.resolve({}), () => ({}), 1n];

test.each<readonly [object, abstract new (...args: never) => Error]>([
  [{ method: 'GET', path: PATH, bodi: 1 }, ConfigurationError],
  [{ method: 'TRACE', path: PATH }, ConfigurationError],
  [{ method: 'GET', path: PATH, schema: {} }, ConfigurationError],
  [{ path: PATH }, ConfigurationError],
  [{ method: 'get', path: PATH }, ConfigurationError],
  [{ method: 'GET', path: PATH, idempotent: 'yes' }, ConfigurationError],
  [{ method: 'GET', path: PATH, body: {} }, InvalidRequestError],
  [{ method: 'HEAD', path: PATH, body: null }, InvalidRequestError],
  [{ method: 'GET' }, InvalidRequestError],
  ...queries.map((query) => [{ method: 'GET', path: PATH, query }, InvalidRequestError] as const),
  ...bodies.map((body) => [{ method: 'POST', path: PATH, body }, InvalidRequestError] as const),
])('confab.request refuses the request %o before sending', async (request, type) => {
  const server = await startServer(success(1));
  await errorOf(clientOf(server.url).request(request as never), type);
  await expect(clientOf(server.url).request(undefined as never)).rejects.toThrow(ConfigurationError);
  expect(server.arrivals).toHaveLength(0);
});

test('confab.request accepts any JSON data as the body, and an object of any realm or class', async () => {
  class Point {
    x = 1;
  }
  const plain = [{ a: 1 }, [1], null, 'text', 7, false, new Date(0), { toJSON: () => 'x' }];
  const bodies = [...plain, new Point(), Object.create(null), runInNewContext('({ a: 1 })')];
  const server = await startServer(...bodies.map(() => success(1)));
  const confab = clientOf(server.url);
  for (const body of bodies) {
    await confab.request({ method: 'POST', path: PATH, body, query: runInNewContext('({ a: 1 })') });
  }
  expect(server.arrivals.map(({ body }) => body)).toEqual(bodies.map((body) => JSON.stringify(body)));
});

const BASE = 'https://api.example.com/crm';

let sent: string | undefined;

const local = clientAt(BASE, {
  fetch: async (url) => {
    sent = url;
    return Response.json({ success: true, data: 1 });
  },
});

/** Returns the URL that a request with this path would fetch; undefined when the path is refused. */
const leadsTo = async (path: string): Promise<string | undefined> => {
  sent = undefined;
  await local.request({ method: 'GET', path }).catch((error: unknown) => {
    expect(error).toBeInstanceOf(InvalidRequestError);
  });
  return sent;
};

test.each([
  [undefined, 'must be a string, got undefined'],
  [7, 'must be a string, got a number'],
  ['tags', 'must start with /'],
  ['https://evil.example', 'must not be a URL: it is appended to baseUrl'],
  ['/tags?limit=1', 'must not contain ? or #: pass the query as `query`'],
  ['/a//b', 'must not contain an empty, . or .. segment, encoded or not'],
  ['/a/../b', 'must not contain an empty, . or .. segment, encoded or not'],
  ['/..%3b/..%3b/admin', 'must not contain an empty, . or .. segment, encoded or not'],
  ['/%E2%80%A4%E2%80%A4/x', 'must not contain an empty, . or .. segment, encoded or not'],
  ['/\\evil.example', 'contains "\\\\": encode each part with `encodeURIComponent`'],
  ['/tags/\u2024\u2024', 'contains "\u2024": encode each part with `encodeURIComponent`'],
  ['/a%2Fb', 'must not contain "/" encoded: some servers decode it'],
  ['/a%ef%bc%bcb', 'must not contain "\\\\" encoded: some servers decode it'],
  ['/a%00', 'must not contain "\\u0000" encoded: some servers decode it'],
  ['/a%C3', 'must be percent-encoded UTF-8'],
  ['/%e0%80%ae/x', 'must be percent-encoded UTF-8'],
])(
  'confab.request does not send the path %j, and the error says which rule it breaks',
  async (path, message) => {
    sent = undefined;
    const error = await errorOf(local.request({ method: 'GET', path: path as string }), InvalidRequestError);
    expect(error.issues).toEqual([{ path: 'path', message }]);
    expect(sent).toBeUndefined();
  },
);

/** Decodes everything that a proxy might decode, some twice. */
const decoded = (url: string): string => {
  try {
    return decodeURIComponent(decodeURIComponent(url));
  } catch {
    return url;
  }
};

test('every path of confab.request is either refused or stays below the base URL', async () => {
  const words =
    '/ \\ . .. %2e %2F %5C %25 2e % ? # @ : ; a https: evil.example %3b %f8 %80 %ef%bc%8e %c0%ae /a/b';
  const pieces = fc.constantFrom(...words.split(' '), ' ', '\t', '\r\n', '\u0000', '\u2024', '\uff0f');
  const path = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.webPath(),
    fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
  );
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(path, async (given) => {
      const url = await leadsTo(given);
      if (url === undefined) {
        return;
      }
      accepted += 1;
      for (const seen of [url, new URL(url).href, new URL(decoded(url)).href]) {
        expect(seen.startsWith(`${BASE}/`)).toBe(true);
      }
      const { origin, pathname, search, hash } = new URL(url);
      expect([origin, pathname, search, hash]).toEqual(['https://api.example.com', `/crm${given}`, '', '']);
      expect(pathname).not.toMatch(/\/\.{1,2}(?:\/|$)|\/\/|\\/);
    }),
    { numRuns: 200 },
  );
  expect(accepted).toBeGreaterThan(0);
});
