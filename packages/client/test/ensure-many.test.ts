import { Readable } from 'node:stream';
import { eventually } from '@confab/internal/test-support';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LeadCreate } from '../src/index.ts';
import { ConfigurationError, ConnectionError, InvalidRequestError } from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createGate } from './support/gate.ts';
import type { Behavior } from './support/lead-service.ts';
import { clientOf, collect, createLeadService, phoneOf, rowsOf } from './support/lead-service.ts';
import { rowOf } from './support/list.ts';
import { drop, failure, json, startServer } from './support/server.ts';

test('ensureMany() yields one outcome per row, in order, with its status', async () => {
  const service = createLeadService((phone, attempt) => {
    const behaviors: Record<string, Behavior> = { [phoneOf(2)]: 400, [phoneOf(3)]: 'loses the response' };
    return (attempt === 1 && behaviors[phone]) || 'works';
  });
  service.leads.set(phoneOf(1), rowOf(900).id);
  const inputs = rowsOf(5);
  expect(await collect(clientOf(service).leads.ensureMany(inputs))).toMatchObject([
    { index: 0, input: inputs[0], status: 'created' },
    { index: 1, input: inputs[1], status: 'existing', lead: { id: rowOf(900).id } },
    { index: 2, input: inputs[2], status: 'failed', error: { name: 'BadRequestError', status: 400 } },
    { index: 3, input: inputs[3], status: 'unknown' },
    { index: 4, input: inputs[4], status: 'created' },
  ]);
});

test('the status of a row is "unknown" if the retries after a lost response are refused', async () => {
  const page = { success: true, data: [lead], meta: { total: 1, limit: 100, offset: 0 } };
  const refusals = Array.from({ length: 9 }, () => failure(429, 'SLOW'));
  const server = await startServer(drop, ...refusals, failure(409, 'EXISTS'), json(200, page));
  const { leads } = clientAt(server.url, { clock: createTestClock() });
  const [outcome] = await collect(leads.ensureMany([{ phone: lead.phone }]));
  expect(outcome).toMatchObject({ status: 'unknown', lead });
  expect(server.arrivals).toHaveLength(12);
});

test('an awaited import returns a summary, and calls onProgress after each row', async () => {
  const service = createLeadService((phone) => (phone === phoneOf(1) ? 400 : 'works'));
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

  expect(summary).toEqual({ done: 3, created: 2, existing: 0, updated: 0, unknown: 0, failed: 1 });
  expect(seen).toEqual([
    [1, 0],
    [2, 1],
    [3, 1],
  ]);
});

test('an invalid row fails by itself, before anything is sent for it', async () => {
  const service = createLeadService();
  const lost = Promise.reject(new Error('the row was not found'));
  const rows = [{}, null, lost, { phone: phoneOf(1) }] as LeadCreate[];

  const outcomes = await collect(clientOf(service).leads.ensureMany(rows));

  expect(outcomes.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'created']);
  expect(outcomes[0]?.error).toBeInstanceOf(InvalidRequestError);
  expect(outcomes[1]?.error).toBeInstanceOf(InvalidRequestError);
  expect(outcomes[2]).toMatchObject({ input: lost, error: new Error('the row was not found') });
  expect(service.posts).toEqual([phoneOf(1)]);
});

test('ensureMany() accepts a stream of rows, and promises of rows', async () => {
  const { leads } = clientOf(createLeadService());
  expect(await leads.ensureMany(Readable.from(rowsOf(30)))).toMatchObject({ created: 30 });
  const promises = rowsOf(60).map((row) => Promise.resolve(row)) as Iterable<unknown> as LeadCreate[];
  expect(await leads.ensureMany(promises)).toMatchObject({ created: 30, existing: 30 });
});

test('leads.ensureMany sends nothing until it is awaited or iterated over', async () => {
  const service = createLeadService();
  const run = clientOf(service).leads.ensureMany(rowsOf(2));
  await new Promise(setImmediate);
  expect(service.counts.sent).toBe(0);
  expect(run.progress).toEqual({ done: 0, created: 0, existing: 0, updated: 0, unknown: 0, failed: 0 });

  expect(await run).toBe(await run);
  expect(await run.finally(() => {})).toBe(await run.catch(() => undefined));
  expect(service.posts).toHaveLength(2);
});

test('onExisting: update writes only the fields that differ, and sends nothing if no field differs', async () => {
  const service = createLeadService();
  const { leads } = clientOf(service);
  const phone = phoneOf(1);
  await leads.create({ phone, displayName: 'Ana', email: 'ana@example.com' });
  const rows = [
    { phone, displayName: 'Ana', source: 'csv' },
    { phone, displayName: 'Ana', email: null },
    { phone, displayName: 'Ana Lima', email: null },
    { phone, displayName: 'Ana Lima', notes: 'vip' },
    { phone: phoneOf(2), displayName: 'Rui', notes: 'new' },
  ];

  const outcomes = await collect(leads.ensureMany(rows, { onExisting: 'update' }));

  const statuses = ['existing', 'updated', 'updated', 'updated', 'created'];
  expect(outcomes.map(({ status }) => status)).toEqual(statuses);
  expect(service.patches).toEqual([{ email: null }, { displayName: 'Ana Lima' }, { notes: 'vip' }]);
  expect(outcomes[3]?.lead).toMatchObject({ displayName: 'Ana Lima', email: null });
});

test('a row whose lead is deleted before it can be updated fails, and those after it are imported', async () => {
  const service = createLeadService();
  service.leads.set(phoneOf(1), rowOf(901).id);
  const rows = [{ phone: phoneOf(1), displayName: 'Rui' }, { phone: phoneOf(2) }];
  const run = clientOf(service).leads.ensureMany(rows, { onExisting: 'update' });
  expect(await collect(run)).toMatchObject([
    { status: 'failed', error: { name: 'NotFoundError', operation: 'leads.update' } },
    { status: 'created' },
  ]);
});

test('rows in progress with the same phone number share one request, in whatever format the number is written', async () => {
  const service = createLeadService();
  const national = ' 020 7946 0958 ';
  const rows = [
    ['+44 20 7946 0958', 'created'],
    ['+44 (0)20 7946-0958', 'existing'],
    [national, 'created'],
    [national.trim(), 'existing'],
    ['0044 2079460958', 'existing'],
  ];
  const run = clientOf(service).leads.ensureMany(rows.map(([phone = '']) => ({ phone })));
  const outcomes = await collect(run);
  expect(outcomes.map(({ status }) => status)).toEqual(rows.map(([, status]) => status));
  expect(new Set(outcomes.map(({ lead }) => lead?.id)).size).toBe(2);
  expect(service.posts).toEqual(['+442079460958', national]);
});

test('an import remembers a phone number while any row in progress has it', async () => {
  const service = createLeadService();
  // Without a country code, only a row in progress tells that its lead exists.
  const rows = Array.from({ length: 6 }, () => ({ phone: '020 7946 0958' }));
  const summary = await clientOf(service).leads.ensureMany(rows, { concurrency: 2 });
  expect(summary).toMatchObject({ created: 1, existing: 5 });
  expect(service.posts).toHaveLength(1);
});

test.each([
  // One of the 10 slots stays free for direct calls.
  [undefined, 10, 9],
  [3, 3, 3],
])(
  'an import with concurrency %s has at most %i rows in progress and %i in flight',
  async (concurrency, most, inFlight) => {
    const service = createLeadService();
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

    expect(service.counts.mostAtOnce).toBe(inFlight);
    // It reads no more of the source than it works on: the consumer holds one outcome.
    expect(Math.max(...read)).toBeLessThanOrEqual(most);
  },
);

test('finished rows that wait for an earlier one count as in progress', async () => {
  const slow = createGate();
  const service = createLeadService();
  const fetch: typeof service.fetch = async (url, init) => {
    await (String(init.body).includes(phoneOf(0)) ? slow.opened : undefined);
    return service.fetch(url, init);
  };
  const rows = rowsOf(20).values();
  const next = clientOf({ fetch }).leads.ensureMany(rows, { concurrency: 3 })[Symbol.asyncIterator]().next();
  await eventually(() => expect(service.posts).toEqual([phoneOf(1), phoneOf(2)]));
  expect(rows.next().value).toEqual({ phone: phoneOf(3) });
  slow.open();
  expect(await next).toMatchObject({ value: { index: 0, status: 'created' } });
});

test('an import reads its source one row at a time, and yields finished rows while the source is slow', async () => {
  const stuck = createGate();
  let reads = 0;
  let most = 0;
  const source = rowsOf(20).values();
  const rows = {
    [Symbol.asyncIterator]: () => ({
      async next() {
        reads += 1;
        most = Math.max(most, reads);
        const result = source.next();
        await (result.value?.phone === phoneOf(7) ? stuck.opened : new Promise(setImmediate));
        reads -= 1;
        return result;
      },
    }),
  };
  let done = 0;
  for await (const { index } of clientOf(createLeadService()).leads.ensureMany(rows)) {
    expect(index).toBe(done);
    done += 1;
    if (done === 7) {
      stuck.open();
    }
  }
  expect(done).toBe(20);
  expect(most).toBe(1);
});

test.each([undefined, false] as const)(
  'errors of leads.ensure do not warn about calling it again, which is safe: retry %s',
  async (retry) => {
    const { leads } = clientOf({ fetch: () => Promise.reject(new TypeError('fetch failed')) }, { retry });
    const error = await errorOf(leads.ensure({ phone: phoneOf(1) }), ConnectionError);
    expect(error.message).not.toContain('may have acted');
  },
);

test('a loop over an import throws once it has begun or was awaited, because it would have no rows', async () => {
  const service = createLeadService();
  const begun = clientOf(service).leads.ensureMany(rowsOf(2));
  await begun[Symbol.asyncIterator]().next();
  const awaited = clientOf(service).leads.ensureMany(rowsOf(2));
  await awaited;
  for (const run of [begun, awaited]) {
    await expect(collect(run)).rejects.toThrow(
      new ConfigurationError('An import can be iterated over once. Call leads.ensureMany again.'),
    );
    expect(await run).toMatchObject({ done: 2 });
  }
});

test.each([
  [rowsOf(1), { concurrency: 0 }, '`concurrency`'],
  [rowsOf(1), { normalizePhone: 'GB' }, '`normalizePhone` must be a function'],
  [rowsOf(1), { onprogress: () => {} }, 'Did you mean `onProgress`?'],
  [rowsOf(1), { signal: {} }, '`signal` must be an AbortSignal'],
  [{ phone: '+1' }, {}, '`rows` must be an array, an iterable or an async iterable, got an object.'],
  ['rows.csv', {}, '`rows` must be an array, an iterable or an async iterable, got "rows.csv".'],
])('leads.ensureMany refuses the rows %j with the options %j', (rows, options, message) => {
  const { leads } = clientOf(createLeadService());
  expect(() => leads.ensureMany(rows as never, options as never)).toThrow(ConfigurationError);
  expect(() => leads.ensureMany(rows as never, options as never)).toThrow(message);
});

test('whatever the service does, each row has one outcome, in order, and each phone number at most one lead', async () => {
  const behavior = fc.constantFrom<Behavior>('works', 'works', 'loses the response', 400, 503);
  await fc.assert(
    fc.asyncProperty(
      // 20 failures would end the import.
      fc.array(fc.nat(12), { maxLength: 19 }),
      fc.array(behavior, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 8 }),
      async (numbers, behaviors, concurrency) => {
        let turn = 0;
        const service = createLeadService(() => {
          turn += 1;
          return behaviors[turn % behaviors.length] ?? 'works';
        });
        const rows = numbers.map((number) => ({ phone: phoneOf(number) }));
        const outcomes = await collect(clientOf(service).leads.ensureMany(rows, { concurrency }));

        expect(outcomes.map(({ index }) => index)).toEqual(rows.map((_, index) => index));
        for (const { input, status, lead } of outcomes) {
          if (status !== 'failed') {
            expect(service.leads.get(input.phone)).toBe(lead?.id);
          }
        }
        const made = outcomes.filter(({ status }) => status === 'created').map(({ input }) => input.phone);
        expect(new Set(made).size).toBe(made.length);
      },
    ),
    { numRuns: 100 },
  );
});
