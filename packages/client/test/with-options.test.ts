import { expect, test } from 'vitest';
import { ConfigurationError, InvalidResponseError, ServerError, TimeoutError } from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { agent, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { failure, hang, startServer, success } from './support/server.ts';

test('withOptions changes the defaults of the new client, and not those of the original', async () => {
  const server = await startServer(failure(500, 'ANY'));
  const clock = createTestClock();
  const confab = clientAt(server.url, { clock, retry: { limit: 1, baseDelay: 4_000, maxDelay: 4_000 } });
  const patient = confab.withOptions({ retry: { limit: 3 } });
  await errorOf(patient.agents.list(), ServerError);
  expect(server.arrivals).toHaveLength(4);
  // The delays of the client still apply.
  expect(Math.max(...clock.waits)).toBeLessThanOrEqual(4_000);
  await errorOf(confab.agents.list(), ServerError);
  expect(server.arrivals).toHaveLength(6);
  await errorOf(patient.withOptions({ retry: false }).agents.list(), ServerError);
  expect(server.arrivals).toHaveLength(7);
});

test('withOptions changes timeouts and validation, which a call can still override', async () => {
  const silent = await startServer(hang);
  const quick = clientAt(silent.url).withOptions({ timeout: 20, retry: false });
  expect(await errorOf(quick.agents.list(), TimeoutError)).toMatchObject({ kind: 'attempt' });
  const late = clientAt(silent.url).withOptions({ totalTimeout: 20 });
  expect(await errorOf(late.leads.list(), TimeoutError)).toMatchObject({ kind: 'total' });
  const server = await startServer(success([{ ...agent, name: 5 }]));
  const strict = clientAt(server.url).withOptions({ validation: 'strict' });
  await errorOf(strict.agents.list(), InvalidResponseError);
  expect(await strict.agents.list({ validation: 'off' })).toHaveLength(1);
});

test('withOptions adds headers, replaces headers with the same names, and lets each call override them', async () => {
  const server = await startServer(success(lead));
  const sent = async (confab: ReturnType<typeof clientAt>, headers?: Record<string, string>) => {
    await confab.leads.get(lead.id, { headers });
    const { 'x-tenant': tenant, 'x-app': app } = server.arrivals.at(-1)?.headers ?? {};
    return [tenant, app];
  };
  const confab = clientAt(server.url, { headers: { 'x-tenant': 'a', 'x-app': 'crm' } });
  const other = confab.withOptions({ headers: { 'X-Tenant': 'b' } });
  const asked = other.withOptions({ headers: () => ({ 'x-tenant': 'c' }) });
  expect(await sent(confab)).toEqual(['a', 'crm']);
  expect(await sent(other)).toEqual(['b', 'crm']);
  expect(await sent(other, { 'x-tenant': 'z' })).toEqual(['z', 'crm']);
  expect(await sent(asked)).toEqual(['c', 'crm']);
  expect(await sent(asked.withOptions({ headers: () => ({ 'x-app': 'erp' }) }))).toEqual(['b', 'erp']);
  expect(await sent(asked.withOptions({ headers: { 'x-tenant': 'd' } }))).toEqual(['d', 'crm']);
  expect(await sent(asked, { 'x-tenant': 'z' })).toEqual(['z', 'crm']);
});

test('withOptions shares the rate limit, the key and the hooks', async () => {
  const server = await startServer(
    failure(429, 'RATE_LIMIT_EXCEEDED', 'Later', { 'retry-after': '30' }),
    success([]),
  );
  const started: string[] = [];
  let keys = 0;
  const confab = clientAt(server.url, {
    clock: createTestClock(),
    apiKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
    hooks: { onCallStart: ({ operation }) => started.push(operation), onPause: () => started.push('paused') },
  });
  const other = confab.withOptions({ retry: false });
  await expect(other.agents.list()).rejects.toThrow('30');
  expect(confab.rateLimit.pausedUntil).toBe(other.rateLimit.pausedUntil);
  expect(confab.rateLimit.pausedUntil).toBeDefined();
  await confab.agents.list();
  expect(started).toEqual(['agents.list', 'paused', 'agents.list']);
  expect(server.arrivals.map(({ headers }) => headers['x-api-key'])).toEqual(['key-1', 'key-2']);
});

test.each<[object, string]>([
  [{ totalTimeOut: 1 }, 'Did you mean `totalTimeout`?'],
  [{ timeout: 0 }, '`timeout` must be'],
  [{ headers: 'x-tenant: a' }, '`headers` must be an object'],
  [{ headers: { 'x-api-key': 'another' } }, 'Pass the key as `apiKey`.'],
  [{ apiKey: 'another' }, '`apiKey` cannot be changed, because both clients share their key'],
  [{ baseUrl: 'https://other.example.com' }, '`baseUrl` cannot be changed'],
  [{ hooks: {} }, '`hooks` cannot be changed'],
  [{ signal: new AbortController().signal }, '`signal` is an option of each call'],
])('withOptions refuses %o, and says why', (options, reason) => {
  const withOptions = () => clientWith().withOptions(options);
  expect(withOptions).toThrow(ConfigurationError);
  expect(withOptions).toThrow(reason);
});
