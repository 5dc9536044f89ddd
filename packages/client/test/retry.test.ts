import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { CallOptions } from '../src/index.ts';
import {
  ApiError,
  ConnectionError,
  InvalidResponseError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { agentReply, ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createGate } from './support/gate.ts';
import { drop, failure, hang, startServer, success, truncate } from './support/server.ts';

const TRANSIENT = [408, 500, 502, 503, 504, 520, 521, 522, 523, 524];
const FINAL = [400, 401, 403, 404, 409, 410, 418, 422, 501, 505, 519, 525];

const setUp = async (...responders: Parameters<typeof startServer>) => {
  const server = await startServer(...responders);
  const clock = createTestClock();
  return { server, clock, confab: clientAt(server.url, { clock }) };
};

const limited = (retryAfter?: string) =>
  failure(
    429,
    'RATE_LIMIT_EXCEEDED',
    'Slow down',
    retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  );

/** A `fetch` that responds with a 429, and then with a lead. */
const refuseOnce = (headers: Record<string, string>) => {
  const responses = [
    Response.json({ success: false, error: '', code: '' }, { status: 429, headers }),
    Response.json({ success: true, data: lead }),
  ];
  return async () => responses.shift() ?? Response.error();
};

/** Returns a 429 with a Retry-After of 5 seconds. */
const slowDown = () =>
  Response.json({ success: false, error: '', code: '' }, { status: 429, headers: { 'retry-after': '5' } });

test.each(TRANSIENT)('a GET is retried after a %i, up to three times', async (status) => {
  const server = await startServer(failure(status, 'X'));
  // The waits of the clock would not do, because a random delay of 0 causes no wait.
  const delays: number[] = [];
  const confab = clientAt(server.url, {
    clock: createTestClock(),
    hooks: { onRetry: ({ delayMs }) => void delays.push(delayMs) },
  });
  const error = await errorOf(confab.leads.get(ids.lead), status >= 500 ? ServerError : ApiError);
  expect(error).toMatchObject({ status, attempts: 4 });
  expect(server.arrivals).toHaveLength(4);
  expect(delays).toHaveLength(3);
  for (const [index, delay] of delays.entries()) {
    expect(delay).toBeLessThan(500 * 2 ** index);
  }
});

test.each(FINAL)('a GET is not retried after a %i', async (status) => {
  const { server, confab } = await setUp(failure(status, 'X'));
  await errorOf(confab.leads.get(ids.lead), Error);
  expect(server.arrivals).toHaveLength(1);
});

test('a GET is retried after a truncated body', async () => {
  const { confab } = await setUp(truncate, success(lead));
  const { response } = await confab.leads.get(ids.lead).withResponse();
  expect(response.attempts).toBe(2);
});

test('a PATCH is retried after a dropped connection, with the same body', async () => {
  const { server, confab } = await setUp(drop, success(lead));
  await confab.leads.update(ids.lead, { status: 'active' });
  expect(server.arrivals.map(({ body }) => body)).toEqual(['{"status":"active"}', '{"status":"active"}']);
});

test.each([...TRANSIENT, ...FINAL])('a POST is not retried after a %i by default', async (status) => {
  const { server, confab } = await setUp(failure(status, 'X'));
  await errorOf(confab.conversations.sendMessage(ids.conversation, { content: 'Hi' }), Error);
  expect(server.arrivals).toHaveLength(1);
});

test.each([
  ['a dropped connection', drop, ConnectionError, { code: 'CONNECTION_FAILED', attempts: 1 }],
  ['a truncated body', truncate, InvalidResponseError, { code: 'INVALID_RESPONSE', status: 200 }],
])(
  'a POST is not retried after %s, and the error says that the service may have acted',
  async (_, responder, type, facts) => {
    const { server, confab } = await setUp(responder);
    const error = await errorOf(
      confab.leads.create({ phone: '+5511987654321' }),
      type as typeof ConnectionError,
    );
    expect(error).toMatchObject({ operation: 'leads.create', ...facts });
    expect(error.message).toContain('may have');
    expect(error.cause).toBeInstanceOf(Error);
    expect(server.arrivals).toHaveLength(1);
  },
);

test('agents.invoke is not retried after its attempt has timed out, by default after two minutes', async () => {
  const { server, clock, confab } = await setUp(hang);
  const call = confab.agents.invoke(ids.agent, { userMessage: 'Hi' });
  await server.arrived(1);
  clock.advance(119_999);
  await Promise.race([call, new Promise(setImmediate)]);
  clock.advance(1);
  const error = await errorOf(call, TimeoutError);
  expect(error).toMatchObject({ kind: 'attempt', attempts: 1 });
  expect(server.arrivals).toHaveLength(1);
});

test.each([
  ['a 503', failure(503, 'BUSY')],
  ['a dropped connection', drop],
])('with retry.nonIdempotent, a POST is retried after %s', async (_, responder) => {
  const { server, confab } = await setUp(responder, success(agentReply));
  await confab.agents.invoke(ids.agent, { userMessage: 'Hi' }, { retry: { nonIdempotent: true } });
  expect(server.arrivals).toHaveLength(2);
});

test.each([
  ['60', 60_000],
  ['1.5', 2_000],
  ['0.001', 1_000],
  ['2.0', 2_000],
  // A header that was sent twice.
  ['5, 30', 30_000],
])('the client waits for the seconds in Retry-After: %s', async (value, ms) => {
  const clock = createTestClock();
  const confab = clientWith({ clock, fetch: refuseOnce({ 'retry-after': value }) });
  await confab.leads.get(ids.lead, { retry: { limit: 0 } });
  expect(clock.waits).toEqual([ms]);
});

test.each([
  ...['0x10', '1e9', '+5', '-5', '.5', '5.', 'Infinity', 'NaN', '5 s', 'soon', 'soon, ', '5, soon', '5,'],
  '2026-01-01T00:00:20Z',
  'Thu, 01 Jan 2026 00:00:20 UTC',
  'Thu, 1 Jan 2026 00:00:20 GMT',
  'thu, 01 jan 2026 00:00:20 gmt',
  'Thu, 01 Jan 2026 24:00:00 GMT',
  'Tue, 31 Feb 2026 00:00:20 GMT',
  'Thu, 01-Jan-26 00:00:20 GMT',
  'Thu Jan 1 00:00:20 2026',
  'Thu, 01 Jan 2026 00:00:20 GMT, Thu, 01 Jan 2026 00:00:30 GMT',
])('the client ignores a malformed Retry-After: %s', async (value) => {
  const clock = createTestClock();
  const confab = clientWith({ clock, fetch: refuseOnce({ 'retry-after': value }) });
  const error = await errorOf(confab.leads.get(ids.lead, { retry: { limit: 0 } }), RateLimitError);
  expect(error).toMatchObject({ retryAfterMs: undefined, attempts: 1 });
});

test('a date in Retry-After may have any format of RFC 9110; two-digit years are at most 50 years ahead', async () => {
  const second = fc.integer({ min: 0, max: 9_000_000_000 });
  await fc.assert(
    fc.asyncProperty(second, fc.integer({ min: 0, max: 49 * 31_556_952 }), async (now, ahead) => {
      const clock = createTestClock(now * 1_000);
      const date = new Date((now + ahead) * 1_000);
      const [day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ').slice(1);
      const forms = [
        date.toUTCString(),
        `Monday, ${day}-${month}-${year.slice(-2)} ${time} GMT`,
        `Mon ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`,
      ];
      for (const form of forms) {
        const confab = clientWith({ clock, fetch: refuseOnce({ 'retry-after': form }), retry: false });
        const { retryAfterMs } = await errorOf(confab.leads.get(ids.lead), RateLimitError);
        expect(retryAfterMs).toBe(ahead * 1_000);
      }
    }),
  );
});

test('a call rejects at once if Retry-After reaches the end of totalTimeout, but not a millisecond earlier', async () => {
  const { confab } = await setUp(limited('20'), success(lead));
  const { message } = await errorOf(confab.leads.get(ids.lead, { totalTimeout: 20_000 }), RateLimitError);
  expect(message).toMatch(/ \(retry after 20 s, longer than `totalTimeout` allows\)$/);
  const other = await setUp(limited('20'), success(lead));
  expect(await other.confab.leads.get(ids.lead, { totalTimeout: 20_001 })).toEqual(lead);
});

test.each([['61'], ['400 digits', '9'.repeat(400)], ['Fri, 31 Dec 9999 23:59:59 GMT']])(
  'a call rejects at once if Retry-After exceeds maxRetryAfter: %s',
  async (shown, value = shown) => {
    const { server, clock, confab } = await setUp(limited(value));
    const error = await errorOf(confab.leads.get(ids.lead), RateLimitError);
    expect(error.retryAfterMs).toBeGreaterThan(60_999);
    expect(error.message).toMatch(/ \(retry after \d[\d.]* s, longer than `retry\.maxRetryAfter` allows\)$/);
    expect(clock.waits).toEqual([]);
    expect(server.arrivals).toHaveLength(1);
  },
);

test.each([
  ['a correct clock', 0],
  ['a clock that is hours behind', -5 * 3_600_000],
  ['a clock that is hours ahead', 5 * 3_600_000],
])('the client waits until the date in Retry-After, even with %s', async (_, off) => {
  const date = Date.UTC(2026, 4, 5, 10, 0, 0);
  const clock = createTestClock(date + off);
  const server = await startServer(
    failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', {
      'retry-after': 'Tue, 05 May 2026 10:00:20 GMT',
      date: new Date(date).toUTCString(),
    }),
    success(lead),
  );
  await clientAt(server.url, { clock }).leads.get(ids.lead);
  expect(clock.waits).toEqual([20_000]);
});

test('retries after a Retry-After do not count toward retry.limit', async () => {
  const { server, confab } = await setUp(...Array.from({ length: 9 }, () => limited('10')), success(lead));
  await confab.leads.get(ids.lead, { retry: { limit: 0 } });
  expect(server.arrivals).toHaveLength(10);
});

test('a 429 pauses the other calls of the client until the time in its Retry-After', async () => {
  const clock = createTestClock();
  const sentAt: number[] = [];
  const start = clock.now();
  const confab = clientWith({
    clock,
    concurrency: 1,
    fetch: async () => {
      sentAt.push(clock.now() - start);
      return sentAt.length === 1 ? slowDown() : Response.json({ success: true, data: lead });
    },
  });
  await Promise.all([1, 2, 3].map(() => confab.leads.get(ids.lead)));
  expect(sentAt).toEqual([0, 5_000, 5_000, 5_000]);
});

test('a pause that begins while a call waits for its `headers` function delays that call', async () => {
  const clock = createTestClock();
  const start = clock.now();
  const sentAt: number[] = [];
  const [sent, asked, paused] = [createGate(), createGate(), createGate()];
  let calls = 0;
  const confab = clientWith({
    clock,
    headers: async () => {
      calls += 1;
      if (calls === 2) {
        asked.open();
        await paused.opened;
      }
      return {};
    },
    hooks: { onPause: () => paused.open() },
    fetch: async () => {
      sentAt.push(clock.now() - start);
      sent.open();
      await asked.opened;
      return sentAt.length === 1 ? slowDown() : Response.json({ success: true, data: lead });
    },
  });
  const refused = errorOf(confab.leads.get(ids.lead, { retry: false }), RateLimitError);
  await sent.opened;
  expect(await confab.leads.get(ids.lead)).toEqual(lead);
  expect(sentAt).toEqual([0, 5_000]);
  await refused;
});

test.each<[string, CallOptions, pause: string, left: number]>([
  ['its total timeout ends before the pause', { totalTimeout: 20_000 }, '30', 30_000],
  ['the pause, cut to an hour, exceeds maxRetryAfter', { totalTimeout: false }, '7200', 3_600_000],
])(
  'a call that is made during a pause rejects without being sent if %s',
  async (_, options, pause, retryAfterMs) => {
    const { server, confab } = await setUp(limited(pause));
    await errorOf(confab.leads.get(ids.lead, { retry: false }), RateLimitError);
    const error = await errorOf(confab.agents.list(options), RateLimitError);
    expect(error).toMatchObject({ attempts: 0, operation: 'agents.list', retryAfterMs });
    expect(server.arrivals).toHaveLength(1);
  },
);

test.each([
  ['a 503', failure(503, 'BUSY')],
  ['a 429', limited()],
  ['a 429 with a Retry-After of 0', limited('0')],
  ['a 429 with a negative Retry-After', limited('-3')],
])('after %s, the client waits a random time below a bound that doubles', async (_, responder) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { clock, confab } = await setUp(responder);
  await errorOf(confab.leads.get(ids.lead, { retry: { limit: 6 } }), ApiError);
  vi.restoreAllMocks();
  expect(clock.waits).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000]);
});

test('retries after 429s without Retry-After count toward retry.limit, together with those after other failures', async () => {
  const { server, confab } = await setUp(
    limited(),
    limited('1'),
    failure(503, 'BUSY'),
    limited(),
    limited('1'),
    limited(),
  );
  const error = await errorOf(confab.leads.get(ids.lead), RateLimitError);
  expect(error).toMatchObject({ attempts: 6, retryAfterMs: undefined });
  expect(server.arrivals).toHaveLength(6);
});

test.each([
  ['without Retry-After', undefined],
  ['with Retry-After: 0', '0'],
])(
  'the error of a POST that only got 429s %s does not say that the service may have acted',
  async (_, retryAfter) => {
    const { server, confab } = await setUp(limited(retryAfter));
    const error = await errorOf(confab.leads.create({ phone: '+5511987654321' }), RateLimitError);
    expect(error.message).toMatch(
      /^leads\.create failed with 429 RATE_LIMIT_EXCEEDED: Slow down \(attempt 4\)$/,
    );
    expect(server.arrivals).toHaveLength(4);
  },
);
