import { inspect } from 'node:util';
import { eventually } from '@confab/internal/test-support';
import { expect, test, vi } from 'vitest';
import type { AttemptEvent, ClientOptions } from '../src/index.ts';
import { ConfigurationError, ConnectionError, createClient } from '../src/index.ts';
import { caught } from './support/caught.ts';
import { createTestClock } from './support/clock.ts';
import { ids, KEY, lead } from './support/data.ts';
import { failure, startServer, success } from './support/server.ts';

const clientOf = (url: string, headers: ClientOptions['headers'], options: ClientOptions = {}) =>
  createClient({ baseUrl: url, apiKey: KEY, clock: createTestClock(), headers, ...options });

/** A function that TypeScript would refuse. */
const returning = (value: unknown) => () => value as Record<string, string>;

test('a headers function is called for each attempt, with its event', async () => {
  const events: AttemptEvent[] = [];
  const server = await startServer(failure(503, 'BUSY'), success(lead));
  const confab = clientOf(server.url, (attempt) => {
    events.push(attempt);
    return { 'X-Attempt': String(attempt.attempt), 'content-type': 'text/plain' };
  });
  await confab.leads.update(ids.lead, { status: 'active' });
  expect(events).toMatchObject([1, 2].map((attempt) => ({ operation: 'leads.update', attempt })));
  expect(server.arrivals.map(({ headers }) => [headers['x-attempt'], headers['content-type']])).toEqual([
    ['1', 'application/json'],
    ['2', 'application/json'],
  ]);
});

test('a headers function may be async, and the headers of a call come last', async () => {
  const server = await startServer(success(lead));
  const confab = clientOf(server.url, async () => ({ 'x-a': 'client', 'x-b': 'client' }));
  await confab.leads.get(ids.lead, { headers: { 'X-A': 'call' } });
  expect(server.arrivals[0]?.headers).toMatchObject({ 'x-a': 'call', 'x-b': 'client', 'x-api-key': KEY });
});

test.each<[string, ClientOptions['headers']]>([
  ['the header of the key', () => ({ 'X-Api-Key': 'other' })],
  ['an invalid name', () => ({ 'x y': '1' })],
  ['an invalid value', () => ({ x: 'a\nb' })],
  ['nothing', returning(undefined)],
  ['null', returning(null)],
  ['a text', returning('x: y')],
])('a headers function that returns %s ends the call before it is sent', async (_, headers) => {
  const server = await startServer(success(lead));
  const error = await caught(clientOf(server.url, headers).leads.get(ids.lead), ConfigurationError);
  expect(error.message).toMatch(
    /^The `headers` function failed: `headers` (?:must not contain x-api-key|contains an invalid|must be an object of names and values)/,
  );
  expect(server.arrivals).toHaveLength(0);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error(`no token for ${KEY}`);
    },
  ],
  ['rejects', () => Promise.reject(new Error(`no token for ${KEY}`))],
])('a headers function that %s ends the call, with its error as the redacted cause', async (_, headers) => {
  const server = await startServer(success(lead));
  const onRequest = vi.fn();
  const confab = clientOf(server.url, headers as () => Record<string, string>, { hooks: { onRequest } });
  const error = await caught(confab.leads.get(ids.lead), ConfigurationError);
  expect(error.message).toBe('The `headers` function failed: no token for [redacted]');
  expect(error.cause).toMatchObject({ message: 'no token for [redacted]' });
  expect(onRequest).not.toHaveBeenCalled();
  expect(confab.rateLimit.inFlight).toBe(0);
});

test.each<[string, () => unknown]>([
  ['a null under the key as a name', () => ({ [`x-${KEY}`]: null })],
  [
    'a getter that throws',
    () => ({
      get a() {
        throw new Error(KEY);
      },
    }),
  ],
  [
    'an error whose message throws',
    () => {
      throw Object.defineProperty(new Error(), 'message', {
        get: () => {
          throw new Error(KEY);
        },
      });
    },
  ],
])('a headers function with %s fails without the key', async (_, headers) => {
  const confab = clientOf('http://127.0.0.1:1', headers as () => Record<string, string>);
  const error = await caught(confab.leads.get(ids.lead), ConfigurationError);
  expect(error.message).toMatch(/^The `headers` function failed/);
  expect(inspect(error)).not.toContain(KEY);
});

test.each<[string, unknown]>([
  [
    'getter',
    {
      get: () => {
        throw new Error(KEY);
      },
    },
  ],
  [
    'toString()',
    {
      value: {
        toString: () => {
          throw new Error(KEY);
        },
      },
    },
  ],
])(
  'a fetch error whose message has a %s that throws is a ConnectionError without the key',
  async (_, message) => {
    const fetch = async () => {
      throw Object.defineProperty(new Error(), 'message', message as PropertyDescriptor);
    };
    const confab = clientOf('https://api.example.com', {}, { fetch, retry: false });
    const error = await caught(confab.leads.get(ids.lead), ConnectionError);
    expect(inspect(error)).not.toContain(KEY);
  },
);

test.each(['headers', 'apiKey'])('an abort while the function %s hangs leaves no timer', async (name) => {
  const clock = createTestClock();
  const controller = new AbortController();
  const hang = () => {
    controller.abort('enough');
    return new Promise<never>(() => {});
  };
  const confab = clientOf('https://api.example.com', undefined, { clock, [name]: hang });
  await expect(confab.leads.get(ids.lead, { signal: controller.signal })).rejects.toBe('enough');
  expect(clock.timeouts).toBe(0);
});

test('an abort ends the wait for a headers function that hangs', async () => {
  const server = await startServer(success(lead));
  const controller = new AbortController();
  const confab = clientOf(server.url, () => {
    controller.abort('enough');
    return new Promise(() => {});
  });
  await expect(confab.leads.get(ids.lead, { signal: controller.signal })).rejects.toBe('enough');
  expect(confab.rateLimit.inFlight).toBe(0);
});

test('the event of a headers function cannot be changed', async () => {
  const server = await startServer(success(lead));
  const confab = clientOf(server.url, (attempt) => {
    Reflect.set(attempt, 'method', 'DELETE');
    return {};
  });
  await confab.leads.get(ids.lead);
  expect(server.arrivals[0]?.method).toBe('GET');
});

test('a headers function that hangs ends the call after 30 s, before it is sent', async () => {
  const clock = createTestClock();
  const server = await startServer(success(lead));
  const confab = clientOf(server.url, () => new Promise<never>(() => {}), { clock });
  const call = caught(confab.leads.get(ids.lead), ConfigurationError);
  await eventually(() => expect(clock.timeouts).toBeGreaterThan(1));
  clock.advance(30_000);
  expect((await call).message).toBe(
    'The `headers` function returned nothing within 30 seconds. Nothing was sent.',
  );
  expect(server.arrivals).toHaveLength(0);
});
