import { expect, test, vi } from 'vitest';
import type { AttemptEvent, ClientOptions } from '../src/index.ts';
import { ConfigurationError, createClient } from '../src/index.ts';
import { createTestClock } from './support/clock.ts';
import { ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
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

test.each<[string, ClientOptions['headers']]>([
  ['the header of the key', () => ({ 'X-Api-Key': 'other' })],
  ['an invalid name', () => ({ 'x y': '1' })],
  ['an invalid value', () => ({ x: 'a\nb' })],
  ['nothing', returning(undefined)],
  ['null', returning(null)],
  ['a text', returning('x: y')],
])('a headers function that returns %s ends the call before it is sent', async (_, headers) => {
  const server = await startServer(success(lead));
  const error = await errorOf(clientOf(server.url, headers).leads.get(ids.lead), ConfigurationError);
  expect(error.message).toMatch(
    /^`headers` (?:must not contain x-api-key|contains an invalid|must be an object of names and values).* The request was not sent\.$/,
  );
  expect(server.arrivals).toHaveLength(0);
});

test('a headers function that throws ends the call, with the secrets of its error redacted', async () => {
  const server = await startServer(success(lead));
  const onRequest = vi.fn();
  const headers = () => {
    throw new Error(`no token for ${KEY}, only tok_8f3a91c27e6b4d50`);
  };
  const confab = clientOf(server.url, headers, { hooks: { onRequest } });
  const error = await errorOf(confab.leads.get(ids.lead), ConfigurationError);
  expect(error.message).toBe(
    'The `headers` function failed with Error: no token for [redacted], only [redacted]. The request was not sent.',
  );
  expect(error.cause).toBeUndefined();
  expect(onRequest).not.toHaveBeenCalled();
  expect(confab.rateLimit.inFlight).toBe(0);
});
