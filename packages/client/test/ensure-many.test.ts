import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ClientOptions, EnsureMany, EnsureOutcome, LeadCreate } from '../src/index.ts';
import {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  ImportStoppedError,
  InvalidRequestError,
  PermissionError,
  ServerError,
} from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createGate } from './support/gate.ts';
import { rowOf } from './support/list.ts';

interface Service {
  readonly fetch: NonNullable<ClientOptions['fetch']>;
  /** Phones of the leads that exist. */
  readonly phones: Map<string, string>;
  readonly posts: string[];
  /** Requests of any kind that were sent. */
  readonly sent: number;
  readonly mostAtOnce: number;
}

type Behavior = 'works' | 'loses the response' | 'refuses' | 'is down';

/** A service with unique phones, written by hand. `behave` says how it treats the n-th POST for a phone. */
const createService = (behave: (phone: string, attempt: number) => Behavior = () => 'works'): Service => {
  const phones = new Map<string, string>();
  const attempts = new Map<string, number>();
  const posts: string[] = [];
  let atOnce = 0;
  let sent = 0;
  let mostAtOnce = 0;

  const post = (phone: string): Response => {
    posts.push(phone);
    const attempt = (attempts.get(phone) ?? 0) + 1;
    attempts.set(phone, attempt);
    const behavior = behave(phone, attempt);
    if (behavior === 'refuses') {
      return Response.json({ success: false, error: 'Not this one', code: 'NO' }, { status: 400 });
    }
    if (behavior === 'is down') {
      return Response.json({ success: false, error: 'Down', code: 'DOWN' }, { status: 503 });
    }
    const id = phones.get(phone);
    const row = rowOf(phones.size + 1, { phone });
    phones.set(phone, id ?? row.id);
    if (behavior === 'loses the response') {
      throw new TypeError('fetch failed');
    }
    return id === undefined
      ? Response.json({ success: true, data: row }, { status: 201 })
      : Response.json({ success: false, error: 'There is one', code: 'ANY' }, { status: 409 });
  };

  const find = (url: string): Response => {
    const search = new URL(url).searchParams.get('search') ?? '';
    const rows = [...phones].filter(([phone]) => phone.includes(search));
    const data = rows.map(([phone, id]) => ({ ...lead, id, phone }));
    return Response.json({ success: true, data, meta: { total: data.length, limit: 100, offset: 0 } });
  };

  return {
    phones,
    posts,
    get sent() {
      return sent;
    },
    get mostAtOnce() {
      return mostAtOnce;
    },
    async fetch(url, { method, body, signal }) {
      signal?.throwIfAborted();
      sent += 1;
      atOnce += 1;
      mostAtOnce = Math.max(mostAtOnce, atOnce);
      try {
        await new Promise(setImmediate);
        return method === 'POST' ? post(JSON.parse(String(body)).phone) : find(url);
      } finally {
        atOnce -= 1;
      }
    },
  };
};

const clientOf = ({ fetch }: Pick<Service, 'fetch'>, options: ClientOptions = {}) =>
  clientWith({ fetch, clock: createTestClock(), ...options });

const phoneOf = (index: number): string => `+55119${String(10_000_000 + index)}`;
const rowsOf = (count: number): LeadCreate[] =>
  Array.from({ length: count }, (_, index) => ({ phone: phoneOf(index) }));

const collect = async (outcomes: AsyncIterable<EnsureOutcome>): Promise<EnsureOutcome[]> => {
  const all: EnsureOutcome[] = [];
  for await (const outcome of outcomes) {
    all.push(outcome);
  }
  return all;
};

test('yields one outcome per row, in order, and says what happened to each', async () => {
  const service = createService((phone, attempt) => {
    if (phone === phoneOf(2)) {
      return 'refuses';
    }
    return phone === phoneOf(3) && attempt === 1 ? 'loses the response' : 'works';
  });
  service.phones.set(phoneOf(1), rowOf(900).id);

  const outcomes = await collect(clientOf(service).leads.ensureMany(rowsOf(5)));

  expect(outcomes.map(({ index, status }) => [index, status])).toEqual([
    [0, 'created'],
    [1, 'existing'],
    [2, 'failed'],
    [3, 'unknown'],
    [4, 'created'],
  ]);
  expect(outcomes[1]?.lead?.id).toBe(rowOf(900).id);
  expect(outcomes[2]?.error).toMatchObject({ name: 'BadRequestError', status: 400 });
  expect(outcomes.map(({ input }) => input)).toEqual(rowsOf(5));
});

test('awaited, it returns a summary, and reports progress after each row', async () => {
  const service = createService((phone) => (phone === phoneOf(1) ? 'refuses' : 'works'));
  const seen: number[][] = [];

  const summary = await clientOf(service).leads.ensureMany(rowsOf(3), {
    onProgress({ done, failed }) {
      seen.push([done, failed]);
      if (done === 1) {
        throw new Error('an exception is ignored');
      }
      // An unhandled rejection would fail this test.
      return Promise.reject(new Error('so is a rejection'));
    },
  });

  expect(summary).toEqual({ done: 3, created: 2, existing: 0, unknown: 0, failed: 1 });
  expect(seen).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
  ]);
});

test('an invalid row fails by itself, before anything is sent for it', async () => {
  const service = createService();
  const rows = [{}, null, { phone: phoneOf(1) }] as LeadCreate[];

  const outcomes = await collect(clientOf(service).leads.ensureMany(rows));

  expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'failed', 'created']);
  expect(outcomes[0]?.error).toBeInstanceOf(InvalidRequestError);
  expect(outcomes[1]?.error).toBeInstanceOf(InvalidRequestError);
  expect(service.posts).toEqual([phoneOf(1)]);
});

test('an import whose loop failed rejects when it is awaited, with the same error', async () => {
  const run = clientOf({
    fetch: async () => Response.json({ success: false, error: 'No such key', code: 'ANY' }, { status: 401 }),
  }).leads.ensureMany(rowsOf(5));
  const error = await errorOf(collect(run), AuthenticationError);
  expect(await errorOf(run, AuthenticationError)).toBe(error);
  expect(await errorOf(run, AuthenticationError)).toBe(error);
});

test('an import whose loop was left resolves with the rows that are done when it is awaited', async () => {
  const service = createService();
  const run = clientOf(service).leads.ensureMany(rowsOf(50));
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

test.each([
  ['a set', (rows: LeadCreate[]) => new Set(rows)],
  [
    'an async generator',
    async function* (rows: LeadCreate[]) {
      yield* rows;
    },
  ],
  [
    'a stream',
    (rows: LeadCreate[]) =>
      new ReadableStream<LeadCreate>({
        start(controller) {
          for (const row of rows) {
            controller.enqueue(row);
          }
          controller.close();
        },
      }),
  ],
])('accepts rows from %s', async (_, make) => {
  expect(await clientOf(createService()).leads.ensureMany(make(rowsOf(30)))).toMatchObject({ created: 30 });
});

test('sends nothing until it is used', async () => {
  const service = createService();
  const run = clientOf(service).leads.ensureMany(rowsOf(2));
  await new Promise(setImmediate);
  expect(service.sent).toBe(0);
  expect(run.progress).toEqual({ done: 0, created: 0, existing: 0, unknown: 0, failed: 0 });

  expect(await run).toBe(await run);
  expect(await run.finally(() => {})).toBe(await run.catch(() => undefined));
  expect(service.posts).toHaveLength(2);
});

test('rows under way with the same phone share one request, however the phone is written', async () => {
  const service = createService();
  const phones = [
    '+44 20 7946 0958',
    '+44 (20) 7946-0958',
    ' 020 7946 0958 ',
    '020 7946 0958',
    '+442079460958',
  ];

  const outcomes = await collect(clientOf(service).leads.ensureMany(phones.map((phone) => ({ phone }))));

  expect(outcomes.map(({ status }) => status)).toEqual([
    'created',
    'existing',
    'created',
    'existing',
    'existing',
  ]);
  expect(new Set(outcomes.map(({ lead }) => lead?.id)).size).toBe(2);
  expect(service.posts).toEqual([phones[0], phones[2]]);
});

test.each([
  ['another extension', '+44 20 7946 0958 x1', '+44 20 7946 0958 x2'],
  ['a zero that may be dialed from abroad', '+44 20 7946 0958', '+44 (0)20 7946 0958'],
  ['00, which the service may read differently', '+5511987654321', '005511987654321'],
])('phones that may differ are left to the service: %s', async (_, first, second) => {
  const service = createService();
  await clientOf(service).leads.ensureMany([{ phone: first }, { phone: second }]);
  expect(service.posts).toEqual([first, second]);
});

test.each([
  [undefined, 10],
  [3, 3],
])('concurrency %s has at most %i rows under way', async (concurrency, most) => {
  const service = createService();
  const read: number[] = [];
  let yielded = 0;
  const rows = function* () {
    for (const row of rowsOf(60)) {
      read.push(read.length - yielded);
      yield row;
    }
  };
  for await (const _ of clientOf(service).leads.ensureMany(rows(), { concurrency })) {
    yielded += 1;
  }

  expect(service.mostAtOnce).toBe(most);
  // It reads no more of the source than it works on: the consumer holds one outcome.
  expect(Math.max(...read)).toBeLessThanOrEqual(most);
});

test('rows that are done are yielded while the source is slow', async () => {
  const stuck = createGate();
  const rows = async function* () {
    yield* rowsOf(2);
    await stuck.opened;
    yield { phone: phoneOf(7) };
  };
  const statuses: string[] = [];
  for await (const { status } of clientOf(createService()).leads.ensureMany(rows())) {
    statuses.push(status);
    if (statuses.length === 2) {
      stuck.open();
    }
  }

  expect(statuses).toEqual(['created', 'created', 'created']);
});

test('an import waits for the rate limit longer than a call may, without a total timeout', async () => {
  let refusals = 3;
  const service = createService();
  const clock = createTestClock();
  const fetch: Service['fetch'] = async (url, init) => {
    if (refusals > 0) {
      refusals -= 1;
      return Response.json(
        { success: false, error: 'Too many', code: 'RATE_LIMIT_EXCEEDED' },
        { status: 429, headers: { 'retry-after': '3600' } },
      );
    }
    return service.fetch(url, init);
  };

  const confab = clientOf({ fetch }, { clock, totalTimeout: 1_000, concurrency: 1 });

  expect(await confab.leads.ensureMany(rowsOf(3))).toMatchObject({ created: 3, failed: 0 });
  expect(Math.max(...clock.waits)).toBe(3_600_000);
});

test('an abort ends it with its reason, and says how many rows are done', async () => {
  const controller = new AbortController();
  const service = createService();
  let closed = false;
  const rows = async function* () {
    try {
      yield* rowsOf(100);
    } finally {
      closed = true;
    }
  };
  const run = clientOf(service).leads.ensureMany(rows(), { signal: controller.signal, concurrency: 4 });
  const done: number[] = [];

  const failure = errorOf(
    (async () => {
      for await (const { index } of run) {
        done.push(index);
        if (index === 20) {
          controller.abort(new Error('the user pressed Ctrl-C'));
        }
      }
    })(),
    Error,
  );

  expect(await failure).toMatchObject({ message: 'the user pressed Ctrl-C' });
  expect(run.progress).toMatchObject({ done: 21 });
  expect(done).toEqual(Array.from({ length: 21 }, (_, index) => index));
  expect(closed).toBe(true);

  // What was under way may have been created; a second run finds it.
  const resumed = await clientOf(service).leads.ensureMany(rowsOf(100).slice(run.progress.done));
  expect(resumed).toMatchObject({ done: 79, failed: 0 });
  expect(service.phones.size).toBe(100);
});

test('leaving the loop ends the import: it reads no more rows, and what is under way is aborted', async () => {
  const service = createService();
  const source = rowsOf(100).values();
  for await (const _ of clientOf(service).leads.ensureMany(source, { concurrency: 5 })) {
    break;
  }
  const { sent } = service;
  await new Promise(setImmediate);

  expect(service.sent).toBe(sent);
  expect(sent).toBeLessThanOrEqual(10);
  // Rows that were not read are still there.
  expect(source.next().value).toEqual({ phone: phoneOf(sent) });
});

test('the source is closed when the loop ends early, before the loop is left', async () => {
  const closings: string[] = [];
  const rows = async function* () {
    try {
      yield* rowsOf(100);
    } finally {
      await new Promise(setImmediate);
      closings.push('closed');
    }
  };
  const { leads } = clientOf(createService());
  for await (const _ of leads.ensureMany(rows(), { concurrency: 1 })) {
    break;
  }
  expect(closings).toHaveLength(1);

  const loop = async () => {
    for await (const _ of leads.ensureMany(rows(), { concurrency: 1 })) {
      throw new Error('a mistake in the loop');
    }
  };
  await expect(loop()).rejects.toThrow('a mistake in the loop');
  expect(closings).toHaveLength(2);
});

test.each([
  [401, AuthenticationError],
  [403, PermissionError],
])('a %i ends the import at its row: every later row would fail too', async (status, expected) => {
  const service = createService();
  let calls = 0;
  const fetch: Service['fetch'] = async (url, init) => {
    calls += 1;
    return calls <= 3
      ? service.fetch(url, init)
      : Response.json({ success: false, error: 'Not with this key', code: 'ANY' }, { status });
  };
  const run = clientOf({ fetch }).leads.ensureMany(rowsOf(1_000), { concurrency: 5 });

  await expect(Promise.resolve(run)).rejects.toThrow(expected);
  expect(run.progress).toEqual({ done: 3, created: 3, existing: 0, unknown: 0, failed: 0 });
  expect(calls).toBeLessThanOrEqual(8);
});

test('an error that ends the import aborts the other rows under way', async () => {
  let calls = 0;
  const signals: AbortSignal[] = [];
  const fetch: Service['fetch'] = async (_, { signal }) => {
    calls += 1;
    if (calls === 1) {
      return Response.json({ success: false, error: 'No such key', code: 'ANY' }, { status: 401 });
    }
    signals.push(signal as AbortSignal);
    return new Promise(() => {});
  };
  const confab = clientOf({ fetch });
  await expect(Promise.resolve(confab.leads.ensureMany(rowsOf(50)))).rejects.toThrow(AuthenticationError);
  expect(signals.length).toBeGreaterThan(0);
  expect(signals.filter(({ aborted }) => !aborted)).toEqual([]);
  expect(confab.rateLimit).toMatchObject({ inFlight: 0, queued: 0 });
});

test('an API key that cannot be read ends the import before anything is sent', async () => {
  const service = createService();
  const run = clientOf(service, { apiKey: () => Promise.reject(new Error()) }).leads.ensureMany(rowsOf(50));
  await expect(Promise.resolve(run)).rejects.toThrow(ConfigurationError);
  expect(run.progress.done).toBe(0);
  expect(service.sent).toBe(0);
});

test('20 failures without a success in between end the import, unless the rows themselves are at fault', async () => {
  const cannotConnect = () => Promise.reject(new TypeError('fetch failed'));
  const broken = clientOf({ fetch: cannotConnect }).leads.ensureMany([
    ...rowsOf(10),
    {} as LeadCreate,
    ...rowsOf(1_000),
  ]);
  const error = await errorOf(broken, ImportStoppedError);
  expect(error).toMatchObject({ name: 'ImportStoppedError', code: 'IMPORT_STOPPED' });
  expect(error.message).toMatch(
    /^The import stopped after 20 failures without a success\. To resume it, skip 0 rows\. ConnectionError: leads\.ensure got no response from /,
  );
  expect(error.cause).toBeInstanceOf(ConnectionError);
  expect(error.stack).toContain('ensure-many.test.ts');
  expect(broken.progress).toMatchObject({ done: 0, failed: 0 });

  const refusing = createService(() => 'refuses');
  expect(await clientOf(refusing).leads.ensureMany(rowsOf(50))).toMatchObject({ done: 50, failed: 50 });

  // The leads exist, but without a country code they cannot be found.
  const national = rowsOf(50).map(({ phone }) => ({ phone: phone.slice(3) }));
  const full = createService();
  await clientOf(full).leads.ensureMany(national);
  expect(await clientOf(full).leads.ensureMany(national)).toMatchObject({ done: 50, failed: 50 });

  const shaky = createService((phone) => (phone.endsWith('0') ? 'works' : 'is down'));
  expect(await clientOf(shaky).leads.ensureMany(rowsOf(50))).toMatchObject({ done: 50, failed: 45 });
});

test('the rows of the failures that end the import are not counted as done, so a resumed import repeats them', async () => {
  let down = false;
  const service = createService(() => (down ? 'is down' : 'works'));
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
  const failed: number[] = [];
  const loop = async () => {
    for await (const { index, status } of run) {
      if (status === 'failed') {
        failed.push(index);
      }
    }
  };
  const error = await errorOf(loop(), ImportStoppedError);
  expect(error.message).toContain('skip 25 rows. ServerError: leads.ensure failed with 503 DOWN');
  expect(error.cause).toBeInstanceOf(ServerError);

  // The invalid row is number 30. The first 5 failures are before it.
  expect(failed).toEqual(Array.from({ length: 21 }, (_, index) => 25 + index));
  expect(run.progress).toEqual({ done: 25, created: 25, existing: 0, unknown: 0, failed: 0 });
  // Callers that save the number in `onProgress` see it drop.
  expect(seen.slice(-3)).toEqual([45, 46, 25]);

  down = false;
  const rest = await confab.leads.ensureMany(rows.slice(run.progress.done));
  expect(rest).toMatchObject({ done: 76, created: 75, failed: 1 });
  expect(service.phones.size).toBe(100);
});

test.each([undefined, false] as const)(
  'errors of ensure do not warn of a repeat, which is safe: retry %s',
  async (retry) => {
    const confab = clientOf({ fetch: () => Promise.reject(new TypeError('fetch failed')) }, { retry });
    const error = await errorOf(confab.leads.ensure({ phone: phoneOf(1) }), ConnectionError);
    expect(error.message).not.toContain('may have acted');
    const creation = await errorOf(confab.leads.create({ phone: phoneOf(1) }), ConnectionError);
    expect(creation.message).toContain('may have acted');
  },
);

test.each<[string, (run: EnsureMany) => Promise<unknown>]>([
  ['its loop has ended', collect],
  ['its loop has begun', async (run) => run[Symbol.asyncIterator]().next()],
  ['it was awaited', async (run) => run],
])('a loop over an import throws after %s, because it would have no rows', async (_, use) => {
  const service = createService();
  const run = clientOf(service).leads.ensureMany(rowsOf(2));
  await use(run);
  await expect(collect(run)).rejects.toThrow(
    new ConfigurationError('An import can be iterated over once. Call leads.ensureMany again.'),
  );
  expect(await run).toMatchObject({ done: 2, created: 2 });
  expect(service.sent).toBe(2);
});

test('an error of the source ends the import, after the rows before it are done', async () => {
  const rows = async function* (): AsyncGenerator<LeadCreate> {
    yield* rowsOf(5);
    throw new Error('line 7 is not CSV');
  };
  const run = clientOf(createService()).leads.ensureMany(rows());
  const indexes: number[] = [];
  const loop = async () => {
    for await (const { index, status } of run) {
      expect(status).toBe('created');
      indexes.push(index);
    }
  };
  await expect(loop()).rejects.toThrow('line 7 is not CSV');
  expect(indexes).toEqual([0, 1, 2, 3, 4]);
  expect(run.progress.done).toBe(5);
});

test.each([
  [rowsOf(1), { concurrency: 0 }, '`concurrency`'],
  [rowsOf(1), { onprogress: () => {} }, 'Did you mean `onProgress`?'],
  [rowsOf(1), { signal: {} }, '`signal` must be an AbortSignal'],
  [{ phone: '+1' }, {}, '`rows` must be an array, an iterable or an async iterable, got an object.'],
  ['rows.csv', {}, '`rows` must be an array, an iterable or an async iterable, got "rows.csv".'],
])('ensureMany(%j, %j) is refused', (rows, options, message) => {
  const { leads } = clientOf(createService());
  expect(() => leads.ensureMany(rows as never, options as never)).toThrow(ConfigurationError);
  expect(() => leads.ensureMany(rows as never, options as never)).toThrow(message);
});

test('whatever the service does, each row has one outcome, in order, and each phone at most one lead', async () => {
  const behavior = fc.constantFrom<Behavior>('works', 'works', 'loses the response', 'refuses', 'is down');
  await fc.assert(
    fc.asyncProperty(
      // 20 failures would end the import.
      fc.array(fc.nat(12), { maxLength: 19 }),
      fc.array(behavior, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 8 }),
      async (numbers, behaviors, concurrency) => {
        let turn = 0;
        const service = createService(() => {
          turn += 1;
          return behaviors[turn % behaviors.length] ?? 'works';
        });
        const rows = numbers.map((number) => ({ phone: phoneOf(number) }));
        const outcomes = await collect(clientOf(service).leads.ensureMany(rows, { concurrency }));

        expect(outcomes.map(({ index }) => index)).toEqual(rows.map((_, index) => index));
        for (const { input, status, lead: found } of outcomes) {
          if (status !== 'failed') {
            expect(service.phones.get(input.phone)).toBe(found?.id);
          }
        }
        const made = outcomes.filter(({ status }) => status === 'created').map(({ input }) => input.phone);
        expect(new Set(made).size).toBe(made.length);
      },
    ),
    { numRuns: 100 },
  );
});

test.each([
  ['a number', () => 5],
  ['undefined', () => undefined],
  ['a string', async () => 'row'],
])('an iterator whose next() returns %s ends the import', async (what, next) => {
  const service = createService();
  const outcomes: EnsureOutcome[] = [];
  const calls = [async () => ({ done: false, value: { phone: phoneOf(1) } }), next];
  const rows = { [Symbol.asyncIterator]: () => ({ next: () => (calls.shift() ?? next)() }) } as never;
  const error = await errorOf(
    (async () => {
      for await (const outcome of clientOf(service).leads.ensureMany(rows)) {
        outcomes.push(outcome);
        if (outcomes.length > 3) {
          break;
        }
      }
    })(),
    ConfigurationError,
  );
  expect(error.message).toBe(`\`next()\` of \`rows\` must return { done, value }, got ${what}.`);
  expect(outcomes).toMatchObject([{ index: 0, status: 'created' }]);
});
