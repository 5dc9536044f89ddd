import { expect, test } from 'vitest';
import type { EnsureOutcome, LeadCreate } from '../src/index.ts';
import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  ImportStoppedError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '../src/index.ts';
import { createTestClock } from './support/clock.ts';
import { errorOf } from './support/error-of.ts';
import type { LeadService } from './support/lead-service.ts';
import { clientOf, collect, createLeadService, phoneOf, rowsOf } from './support/lead-service.ts';

const respond = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json({ success: false, error: 'It did not work', code: 'ANY' }, { status, headers });

test('an import whose loop failed rejects, when awaited, with the same error', async () => {
  const run = clientOf(createLeadService(() => 401)).leads.ensureMany(rowsOf(5));
  const error = await errorOf(collect(run), AuthenticationError);
  expect(await errorOf(run, AuthenticationError)).toBe(error);
  expect(await errorOf(run, AuthenticationError)).toBe(error);
});

test('an import whose loop was left resolves, when awaited, with the rows that are done', async () => {
  const run = clientOf(createLeadService()).leads.ensureMany(rowsOf(50));
  for await (const { index } of run) {
    if (index === 2) {
      break;
    }
  }
  expect(await run).toMatchObject({ done: 3, created: 3 });

  // The loop ends while it waits for a row.
  const waiting = clientOf({ fetch: () => new Promise(() => {}) }).leads.ensureMany(rowsOf(5));
  const outcomes = waiting[Symbol.asyncIterator]();
  const next = outcomes.next();
  await outcomes.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await waiting).toMatchObject({ done: 0 });
});

test('aborting an import rejects with the signal’s reason, and `progress` counts the rows that are done', async () => {
  const controller = new AbortController();
  const service = createLeadService();
  const run = clientOf(service).leads.ensureMany(rowsOf(100), {
    signal: controller.signal,
    concurrency: 4,
    onProgress({ done }) {
      if (done === 21) {
        controller.abort(new Error('the user pressed Ctrl-C'));
      }
    },
  });
  const outcomes: EnsureOutcome[] = [];
  await expect(collect(run, outcomes)).rejects.toThrow('the user pressed Ctrl-C');
  expect(outcomes.map(({ index }) => index)).toEqual(Array.from({ length: 21 }, (_, index) => index));

  // What was in progress may have been created; a second run finds it.
  const resumed = await clientOf(service).leads.ensureMany(rowsOf(100).slice(run.progress.done));
  expect(resumed).toMatchObject({ done: 79, failed: 0 });
  expect(service.leads.size).toBe(100);
});

test('an abort ends an import at once and closes its source, even if that never yields its next row', async () => {
  const controller = new AbortController();
  let closings = 0;
  const source = rowsOf(2).values();
  const rows = {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        const result = source.next();
        return result.done ? new Promise<never>(() => {}) : result;
      },
      return: async () => {
        closings += 1;
        return { done: true, value: undefined } as const;
      },
    }),
  };
  const run = clientOf(createLeadService()).leads.ensureMany(rows, {
    signal: controller.signal,
    onProgress: ({ done }) => {
      if (done === 2) {
        setImmediate(() => controller.abort('enough'));
      }
    },
  });
  await expect(Promise.resolve(run)).rejects.toBe('enough');
  expect(run.progress.done).toBe(2);
  expect(closings).toBe(1);
});

test('leaving the loop of an import stops reading rows and aborts the requests in flight', async () => {
  const service = createLeadService();
  const source = rowsOf(100).values();
  for await (const _ of clientOf(service).leads.ensureMany(source, { concurrency: 5 })) {
    break;
  }
  const { sent } = service.counts;
  await new Promise(setImmediate);

  expect(service.counts.sent).toBe(sent);
  expect(sent).toBeLessThanOrEqual(10);
  // Rows that were not read are still there.
  expect(source.next().value).toEqual({ phone: phoneOf(sent) });
});

test('an import closes its source when the loop ends early, before the loop is left', async () => {
  let closings = 0;
  const rows = async function* () {
    try {
      yield* rowsOf(100);
    } finally {
      await new Promise(setImmediate);
      closings += 1;
    }
  };
  for await (const _ of clientOf(createLeadService()).leads.ensureMany(rows(), { concurrency: 1 })) {
    break;
  }
  expect(closings).toBe(1);
});

test.each([
  [401, AuthenticationError],
  [403, PermissionError],
])('a %i ends the import at its row: every later row would fail too', async (status, expected) => {
  const service = createLeadService(() => (service.posts.length <= 3 ? 'works' : status));
  const run = clientOf(service).leads.ensureMany(rowsOf(1_000), { concurrency: 5 });

  await expect(Promise.resolve(run)).rejects.toThrow(expected);
  expect(run.progress).toEqual({ done: 3, created: 3, existing: 0, updated: 0, unknown: 0, failed: 0 });
  expect(service.counts.sent).toBeLessThanOrEqual(8);
});

test('an error that ends the import aborts the other rows in progress', async () => {
  const signals: AbortSignal[] = [];
  const fetch: LeadService['fetch'] = async (_, { signal }) => {
    signals.push(signal as AbortSignal);
    return signals.length === 1 ? respond(401) : new Promise(() => {});
  };
  const confab = clientOf({ fetch });
  await expect(Promise.resolve(confab.leads.ensureMany(rowsOf(50)))).rejects.toThrow(AuthenticationError);
  expect(signals.length).toBeGreaterThan(1);
  expect(signals.slice(1).filter(({ aborted }) => !aborted)).toEqual([]);
  expect(confab.rateLimit).toMatchObject({ inFlight: 0, queued: 0 });
});

test('an API key that cannot be read ends the import before anything is sent', async () => {
  const service = createLeadService();
  const run = clientOf(service, { apiKey: () => Promise.reject(new Error()) }).leads.ensureMany(rowsOf(50));
  await errorOf(run, ConfigurationError);
  expect(run.progress.done + service.counts.sent).toBe(0);
});

test('20 failures without a success in between end the import', async () => {
  const cannotConnect = () => Promise.reject(new TypeError('fetch failed'));
  const rows = [...rowsOf(10), {} as LeadCreate, ...rowsOf(1_000)];
  const broken = clientOf({ fetch: cannotConnect }).leads.ensureMany(rows);
  const error = await errorOf(broken, ImportStoppedError);
  expect(error).toMatchObject({ name: 'ImportStoppedError', code: 'IMPORT_STOPPED' });
  expect(error.message).toMatch(
    /^The import stopped after 20 failures without a success\. To resume it, skip 0 rows\. ConnectionError: leads\.ensure got no response from /,
  );
  expect(error.cause).toBeInstanceOf(ConnectionError);
  expect(error.stack).toContain('ensure-many-ends.test.ts');
  expect(broken.progress).toMatchObject({ done: 0, failed: 0 });
});

// The leads of numbers without a country code exist, but cannot be found.
const exist = createLeadService();
const national = rowsOf(50).map(({ phone }) => ({ phone: phone.slice(3) }));
test.each([
  ['the service refuses rows', createLeadService(() => 400), rowsOf(50), 50],
  ['leads exist that it cannot find', exist, [...national, ...national], 50],
  ['others succeed', createLeadService((phone) => (phone.endsWith('0') ? 'works' : 503)), rowsOf(50), 45],
])('more than 20 failures do not end an import if %s', async (_, service, rows, failed) => {
  const done = rows.length;
  expect(await clientOf(service).leads.ensureMany(rows)).toMatchObject({ done, failed });
});

test('the 20 failures that end an import do not count as done, so a resumed import sends those rows again', async () => {
  let down = false;
  const service = createLeadService(() => (down ? 503 : 'works'));
  const confab = clientOf(service, { retry: false });
  const rows = [...rowsOf(30), {} as LeadCreate, ...rowsOf(100).slice(30)];
  const seen: number[] = [];
  const run = confab.leads.ensureMany(rows, {
    concurrency: 1,
    onProgress({ done }) {
      seen.push(done);
      down = done >= 25;
    },
  });
  const outcomes: EnsureOutcome[] = [];
  const error = await errorOf(collect(run, outcomes), ImportStoppedError);
  expect(error.message).toContain('skip 25 rows. ServerError: leads.ensure failed with 503 ANY');
  expect(error.cause).toBeInstanceOf(ServerError);

  // The invalid row is number 30. The first 5 failures are before it.
  const failed = outcomes.filter(({ status }) => status === 'failed').map(({ index }) => index);
  expect(failed).toEqual(Array.from({ length: 21 }, (_, index) => 25 + index));
  expect(run.progress).toEqual({ done: 25, created: 25, existing: 0, updated: 0, unknown: 0, failed: 0 });
  // Callers that save the number in `onProgress` see it drop.
  expect(seen.slice(-3)).toEqual([45, 46, 25]);

  down = false;
  const rest = await confab.leads.ensureMany(rows.slice(run.progress.done));
  expect(rest).toMatchObject({ done: 76, created: 75, failed: 1 });
  expect(service.leads.size).toBe(100);
});

/** Refuses the requests that `refuses` picks, by their number from 1. */
const refusing = (refuses: (number: number) => boolean, headers: Record<string, string> = {}) => {
  const service = createLeadService();
  let requests = 0;
  const fetch: LeadService['fetch'] = async (url, init) => {
    requests += 1;
    return refuses(requests) ? respond(429, headers) : service.fetch(url, init);
  };
  return { fetch, requests: () => requests };
};

test('an import waits for the rate limit longer than a call may, without a total timeout', async () => {
  const { fetch } = refusing((number) => number <= 3, { 'retry-after': '3600' });
  const clock = createTestClock();
  const confab = clientOf({ fetch }, { clock, totalTimeout: 1_000, concurrency: 1 });

  expect(await confab.leads.ensureMany(rowsOf(3))).toMatchObject({ created: 3, failed: 0 });
  expect(Math.max(...clock.waits)).toBe(3_600_000);
});

test('429s without Retry-After fail no row if they end within the total timeout', async () => {
  const clock = createTestClock();
  const start = clock.now();
  const { fetch } = refusing((number) => number > 10 && clock.now() < start + 60_000);
  expect(await clientOf({ fetch }, { clock, concurrency: 1 }).leads.ensureMany(rowsOf(50))).toMatchObject({
    created: 50,
  });
});

test('an import that gets nothing but 429s ends within one total timeout, and can be resumed', async () => {
  const clock = createTestClock();
  const start = clock.now();
  const { fetch, requests } = refusing((number) => number > 10);
  const run = clientOf({ fetch }, { clock, concurrency: 1 }).leads.ensureMany(rowsOf(1_000));
  const error = await errorOf(run, ImportStoppedError);
  expect(error.message).toMatch(
    /^The import stopped because the API refuses its requests\. To resume it, skip 10 rows\. RateLimitError: /,
  );
  expect(error.cause).toBeInstanceOf(RateLimitError);
  expect(run.progress).toEqual({ done: 10, created: 10, existing: 0, updated: 0, unknown: 0, failed: 0 });
  expect(clock.now() - start).toBeLessThanOrEqual(120_000);
  expect(requests()).toBeLessThan(1_000);
});

test.each([
  ['of more than a day', '86401', 1],
  ['that is renewed for a day', '3600', 25],
])('a Retry-After %s ends the import, which can be resumed', async (_, retryAfter, most) => {
  const { fetch, requests } = refusing(() => true, { 'retry-after': retryAfter });
  const run = clientOf({ fetch }, { concurrency: 1 }).leads.ensureMany(rowsOf(50));
  expect((await errorOf(run, ImportStoppedError)).message).toContain('skip 0 rows. RateLimitError: ');
  expect(requests()).toBeLessThanOrEqual(most);
});

const sources = {
  *generator() {
    yield* rowsOf(5);
    throw new Error('line 7 is not CSV');
  },
  async *'async generator'() {
    yield* rowsOf(5);
    throw new Error('line 7 is not CSV');
  },
};

test.each(Object.entries(sources))(
  'an error of the source ends the import, after the rows before it are done: %s',
  async (_, make) => {
    const run = clientOf(createLeadService()).leads.ensureMany(make());
    const outcomes: EnsureOutcome[] = [];
    await expect(collect(run, outcomes)).rejects.toThrow('line 7 is not CSV');
    expect(outcomes.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(run.progress).toMatchObject({ done: 5, created: 5 });
  },
);

test.each([
  ['a number', () => 5],
  ['undefined', () => undefined],
  ['a string', async () => 'row'],
])('an iterator whose next() returns %s ends the import', async (what, next) => {
  const calls = [async () => ({ done: false, value: { phone: phoneOf(1) } }), next];
  const rows = { [Symbol.asyncIterator]: () => ({ next: () => (calls.shift() ?? next)() }) } as never;
  const outcomes: EnsureOutcome[] = [];
  const error = await errorOf(
    collect(clientOf(createLeadService()).leads.ensureMany(rows), outcomes),
    ConfigurationError,
  );
  expect(error.message).toBe(`\`next()\` of \`rows\` must return { done, value }, got ${what}.`);
  expect(outcomes).toMatchObject([{ index: 0, status: 'created' }]);
});
