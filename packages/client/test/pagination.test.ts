import { eventually, turns } from '@confab/internal/test-support';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import type { Page, Paginated } from '../src/index.ts';
import {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
} from '../src/index.ts';
import { clientWith } from './support/client.ts';
import { errorOf } from './support/error-of.ts';
import type { Answered, Asked, Row } from './support/list.ts';
import { connect, createRows, idsOf, pageOf, rowOf } from './support/list.ts';

const connectTo = (rows: readonly Row[]) => connect((asked) => pageOf(rows, asked));

test('a list sends nothing before it is awaited or iterated over', async () => {
  const { service, confab } = connectTo(createRows(3));
  const list = confab.leads.list();
  list.pages();
  list[Symbol.asyncIterator]();
  await turns();
  expect(service.asked).toEqual([]);
});

test('a list that is awaited twice sends one request, and one that is iterated over twice is read twice', async () => {
  const { service, confab } = connectTo(createRows(3));
  const list = confab.leads.list();
  expect(await list).toBe(await list);
  expect(service.asked).toHaveLength(1);
  expect(await Array.fromAsync(list)).toEqual(await Array.fromAsync(list));
  expect(service.asked).toHaveLength(3);
});

test('leaving the loop over a list stops further requests and aborts those in flight', async () => {
  const rows = createRows(1_000);
  const { service, confab } = connect((asked, count) =>
    count > 1 ? new Promise(() => {}) : pageOf(rows, asked),
  );
  for await (const _ of confab.leads.list({}, { prefetch: 3 })) {
    await eventually(() => expect(service.asked).toHaveLength(4));
    break;
  }
  expect(service.aborted).toHaveLength(3);
  await turns();
  expect(service.asked).toHaveLength(4);
  expect(confab.rateLimit).toMatchObject({ inFlight: 0, queued: 0 });
});

test("an awaited list is a page with the service's default number of rows, its meta, and hasNext", async () => {
  const { service, confab } = connectTo(createRows(60));
  const first = await confab.leads.list();
  expect(first.meta).toEqual({ total: 60, limit: 25, offset: 0 });
  expect(first.data).toHaveLength(25);
  const second = await first.next();
  expect(await first.next()).toBe(second);
  const third = await second.next();
  expect(idsOf([...first.data, ...second.data, ...third.data])).toEqual(idsOf(createRows(60)));
  expect([first.hasNext, second.hasNext, third.hasNext]).toEqual([true, true, false]);
  expect(service.asked).toEqual([
    { offset: 0, limit: undefined },
    { offset: 24, limit: 26 },
    { offset: 49, limit: 26 },
  ]);
});

test('next() of a page of pages() throws, because the loop continues by itself', async () => {
  const { confab } = connectTo(createRows(150));
  const [first] = await Array.fromAsync(confab.leads.list().pages());
  const { next } = first as unknown as Page<Row>;
  expect((await errorOf(next.call(first), InvalidRequestError)).message).toContain('a loop over pages()');
});

test('next() on the last page throws, and refers to hasNext', async () => {
  const { service, confab } = connectTo(createRows(3));
  const page = await confab.leads.list();
  const error = await errorOf(page.next(), InvalidRequestError);
  expect(error.message).toContain('hasNext');
  expect(service.asked).toHaveLength(1);
});

test.each([
  [297, 3],
  [298, 4],
])(
  'iteration requests pages of 100 rows that overlap by one: %i rows take %i requests',
  async (size, requests) => {
    const { service, confab } = connectTo(createRows(size));
    expect(idsOf(await Array.fromAsync(confab.leads.list()))).toEqual(idsOf(createRows(size)));
    const offsets = [0, 99, 198, 297].slice(0, requests);
    expect(service.asked).toEqual(offsets.map((offset) => ({ offset, limit: 100 })));
  },
);

test('prefetch: 2 reads two pages before they are needed, and no more', async () => {
  const { service, confab } = connectTo(createRows(1_000));
  const iterator = confab.leads.list({}, { prefetch: 2 })[Symbol.asyncIterator]();
  await iterator.next();
  await eventually(() => expect(service.asked).toHaveLength(3));
  await turns();
  expect(service.asked.map(({ offset }) => offset)).toEqual([0, 99, 198]);
  await iterator.return();
});

test('iteration throws the error of a later page after the rows before it, and sends nothing more', async () => {
  const rows = createRows(1_000);
  const { service, confab } = connect((asked) => {
    if (asked.offset === 198) {
      throw new TypeError('fetch failed');
    }
    return pageOf(rows, asked);
  });
  const seen: string[] = [];
  const reading = (async () => {
    for await (const { id } of confab.leads.list({}, { prefetch: 2 })) {
      // Both pages after the first one are there, so that nothing is read ahead before the error is known.
      if (seen.push(id) === 1) {
        await eventually(() => expect(service.asked).toHaveLength(3));
        await eventually(() => expect(confab.rateLimit.inFlight).toBe(0));
      }
    }
  })();
  await errorOf(reading, ConnectionError);
  expect(seen).toEqual(idsOf(rows.slice(0, 199)));
  expect(service.asked.map(({ offset }) => offset)).toEqual([0, 99, 198]);
});

test('iteration throws the reason of its signal after an abort', async () => {
  const { confab } = connectTo(createRows(1_000));
  const controller = new AbortController();
  const iterator = confab.leads.list({}, { signal: controller.signal })[Symbol.asyncIterator]();
  await iterator.next();
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await errorOf(iterator.next(), Error)).toBe(reason);
  // A loop that failed goes on failing.
  expect(await errorOf(iterator.next(), Error)).toBe(reason);
});

type List = Paginated<{ id: string }>;

/** Every way to read a whole list. */
const readers: [name: string, read: (list: List, ahead: number) => Promise<{ id: string }[]>][] = [
  ['for await', (list) => Array.fromAsync(list)],
  ['all()', (list, ahead) => list.all({ concurrency: ahead + 1 })],
  ['pages()', async (list) => (await Array.fromAsync(list.pages())).flatMap(({ data }) => data)],
  [
    'next()',
    async (list) => {
      let page = await list;
      const rows = [...page];
      while (page.hasNext) {
        page = await page.next();
        rows.push(...page);
      }
      return rows;
    },
  ],
];

describe.each(readers)('a `total` that is too low, read by %s', (_, read) => {
  test('no row is lost, wherever the service stops counting and however small its pages are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ size: fc.nat(60), total: fc.nat(60), limit: fc.integer({ min: 1, max: 15 }) }),
        fc.record({ offset: fc.nat(10), most: fc.integer({ min: 2, max: 20 }), prefetch: fc.nat(3) }),
        async ({ size, total, limit }, { offset, most, prefetch }) => {
          const rows = createRows(size);
          const { confab } = connect((asked) => {
            const page = pageOf(rows, { ...asked, limit: Math.min(asked.limit ?? 25, most) });
            return { ...page, meta: page.meta && { ...page.meta, total: Math.min(total, size) } };
          });
          const seen = await read(confab.leads.list({ limit, offset }, { prefetch }), prefetch);
          expect(idsOf(seen)).toEqual(idsOf(rows.slice(offset)));
        },
      ),
      { numRuns: 100 },
    );
  });

  test('reading goes on to the end if the service reports the size of each page as its `limit`', async () => {
    const rows = createRows(7);
    const { service, confab } = connect(({ offset, limit }) => {
      const data = rows.slice(offset, offset + (limit ?? 25));
      return { rows: data, meta: { total: 7, limit: data.length, offset } };
    });
    expect(idsOf(await read(confab.leads.list({ limit: 100 }), 0))).toEqual(idsOf(rows));
    expect(service.asked.length).toBeLessThanOrEqual(2);
  });
});

test.each([
  ['keeps its total', () => 300],
  ['reports fewer rows than it returns', () => 3],
  ['adds a row to its total each time', (count: number) => 300 + count],
])('all() rejects if the service returns random rows forever and %s', async (_, totalOf) => {
  const answer = ({ offset, limit = 25 }: Asked, count: number) => ({
    rows: Array.from({ length: limit }, (__, index) => ({ id: `${count}-${index}` })),
    meta: { total: totalOf(count), limit, offset },
  });
  const { service, confab } = connect(answer, { validation: 'off' });
  const error = await errorOf(confab.leads.list().all({ concurrency: 1 }), InvalidResponseError);
  expect(error.message).toMatch(/^leads\.list returned \d+ different rows, but the API reports \d+/);
  expect(service.asked.length).toBeLessThan(3_000);
});

test('iteration continues while all rows of a list are replaced several times', async () => {
  let made = 0;
  const world = Array.from({ length: 300 }, () => rowOf(made++));
  const { confab } = connect((asked) => pageOf(world, asked));
  let seen = 0;
  for await (const { id } of confab.leads.list()) {
    world.splice(
      world.findIndex((row) => row.id === id),
      1,
    );
    seen += 1;
    if (made < 2_000) {
      world.push(rowOf(made++));
    }
  }
  expect(seen).toBe(2_000);
});

test('pages() and all() report the rows so far and the total', async () => {
  const { confab } = connectTo(createRows(250));
  const pages = await Array.fromAsync(confab.leads.list().pages());
  const progress = [100, 199, 250].map((rows) => ({ rows, total: 250 }));
  expect(pages.map((page) => page.progress)).toEqual(progress);
  const onProgress = vi.fn();
  await confab.leads.list().all({ onProgress });
  expect(onProgress.mock.calls.flat()).toEqual(progress);
});

test('all() returns all rows in order, and reads several pages at once after the first', async () => {
  const rows = createRows(1_000);
  const { service, confab } = connect(async (asked, count) => {
    // The responses to later pages arrive first.
    await turns(20 - count);
    return pageOf(rows, asked);
  });
  expect(idsOf(await confab.leads.list().all({ concurrency: 4 }))).toEqual(idsOf(rows));
  expect(service.most).toBe(4);
  expect(service.asked).toHaveLength(11);
});

test('all() does not wait for the last pages before it requests the one after the total', async () => {
  const rows = createRows(298);
  const { service, confab } = connect(async (asked) => {
    if (asked.offset > 0) {
      await eventually(() => expect(service.asked).toHaveLength(4));
    }
    return pageOf(rows, asked);
  });
  expect(idsOf(await confab.leads.list().all({ concurrency: 4 }))).toEqual(idsOf(rows));
  expect(service.asked.map(({ offset }) => offset)).toEqual([0, 99, 198, 297]);
});

test.each([0, 1, 99, 100, 101, 150, 199, 250, 5_000])(
  'all() with max: %i requests no row that it does not return',
  async (max) => {
    const rows = createRows(400);
    for (const concurrency of [1, 5]) {
      const { service, confab } = connectTo(rows);
      expect(idsOf(await confab.leads.list().all({ max, concurrency }))).toEqual(idsOf(rows.slice(0, max)));
      const last = Math.max(0, ...service.asked.map(({ offset, limit = 0 }) => offset + limit));
      expect(max < 400 ? last : 0).toBeLessThanOrEqual(max);
    }
  },
);

test.each([{ max: -1 }, { max: 1.5 }, { concurrency: 0 }, { concurrency: Number.POSITIVE_INFINITY }])(
  'all() refuses the options %j',
  async (options) => {
    await errorOf(connectTo([]).confab.leads.list().all(options), ConfigurationError);
  },
);

test('leads.list() throws for prefetch: -1', () => {
  expect(() => connectTo([]).confab.leads.list({}, { prefetch: -1 })).toThrow(ConfigurationError);
});

const mutation = fc.record({
  kind: fc.constantFrom('insert', 'remove', 'toggle'),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
});
/** What happens to the list before each request, and how many turns its answer takes. */
const moment = fc.record({
  mutations: fc.array(mutation, { maxLength: 12, size: 'max' }),
  takes: fc.nat(4),
});

test('reading returns each row that stays at or after the offset exactly once, whatever changes between pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(80),
      fc.nat(30),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(...readers.map(([, read]) => read)),
      fc.nat(5),
      fc.array(moment, { minLength: 1, maxLength: 30, size: 'max' }),
      async (size, offset, limit, read, ahead, moments) => {
        // A row whose status changes leaves the filtered list, and may come back to its place.
        const world = createRows(size).map((row) => ({ row, listed: true }));
        let stayed = idsOf(createRows(size));
        const stood = new Set<string>();
        let made = size;
        const mutate = ({ kind, at }: { kind: string; at: number }) => {
          const index = Math.floor(at * world.length);
          const chosen = world[index];
          if (kind === 'toggle' && chosen !== undefined) {
            chosen.listed = !chosen.listed;
          } else if (kind === 'remove') {
            world.splice(index, 1);
          } else if (kind === 'insert') {
            world.splice(index, 0, { row: rowOf(1_000 + made), listed: true });
            made += 1;
          }
        };

        const { confab, drifts } = connect(async (asked, count) => {
          const { mutations, takes } = moments[count - 1] ?? { mutations: [], takes: 0 };
          await turns(takes);
          mutations.forEach(mutate);
          const listed = world.filter((entry) => entry.listed).map(({ row }) => row);
          const ids = idsOf(listed.slice(offset));
          stayed = stayed.filter((id) => ids.includes(id));
          for (const id of ids) {
            stood.add(id);
          }
          return pageOf(listed, asked);
        });

        const seen = idsOf(await read(confab.leads.list({ limit, offset }, { prefetch: ahead }), ahead));
        expect(seen.length).toBe(new Set(seen).size);
        expect(stayed.filter((id) => !seen.includes(id))).toEqual([]);
        expect(seen.filter((id) => !stood.has(id))).toEqual([]);
        expect(drifts).toEqual([]);
      },
    ),
    { numRuns: 600 },
  );
}, 120_000);

test('a list that changes before each request at its end is still read to the end', async () => {
  // The rows of each page, and the total: rows before them come and go.
  const answers: [number[], number][] = [
    [[21, 22], 24],
    [[22, 23], 24],
    [[], 23],
    [[22, 23], 24],
    [[22, 23], 25],
    [[], 24],
    [[], 23],
    [[22, 23], 23],
    [[22, 23], 23],
    [[22, 23], 24],
  ];
  const { confab } = connect(({ offset, limit = 0 }, count) => {
    const [numbers, total] = answers[count - 1] ?? [[23], 24];
    return { rows: numbers.map((number) => rowOf(number)), meta: { total, limit, offset } };
  });
  const seen = await Array.fromAsync(confab.leads.list({ limit: 2, offset: 21 }));
  expect(idsOf(seen)).toEqual([21, 22, 23].map((number) => rowOf(number).id));
});

test('iteration ends even if a lead is created with each request at the end of the list', async () => {
  const world = createRows(6);
  const { service, confab } = connect((asked, count) => {
    if (count === 3) {
      world.pop();
    }
    if (count >= 3) {
      world.unshift(rowOf(1_000 + count));
    }
    return pageOf(world, asked);
  });
  const pages = await Array.fromAsync(confab.leads.list({ limit: 3 }).pages());
  expect(pages.flatMap(({ data }) => idsOf(data))).toEqual(expect.arrayContaining(idsOf(createRows(5))));
  expect(service.asked.length).toBeLessThan(10);
});

test.each([0, 1, 2, 5])(
  'a loop that takes each lead out of its own filter visits every lead once, with prefetch %i',
  async (prefetch) => {
    const leads = createRows(1_000);
    const { service, confab } = connect((asked) =>
      pageOf(
        leads.filter(({ status }) => status === 'new'),
        asked,
      ),
    );
    const seen: string[] = [];
    for await (const { id } of confab.leads.list({ status: 'new' }, { prefetch })) {
      await turns();
      leads[Number(id.slice(-12))]!.status = 'active';
      seen.push(id);
    }
    expect(seen.toSorted()).toEqual(idsOf(leads));
    // One at a time, the walk learns after the first page that the list shrinks: a request a page, and two to find out.
    if (prefetch === 0) {
      expect(service.asked.length).toBeLessThanOrEqual(12);
    }
  },
);

const wrong = async (answer: (asked: Asked, count: number) => Answered, limit = 10) => {
  const { service, confab, drifts } = connect(answer);
  const result = await Array.fromAsync(confab.leads.list({ limit })).catch((error: unknown) => error);
  return {
    service,
    result,
    issues: drifts.flatMap(({ issues }) => issues.map(({ path, message }) => `${path} ${message}`)),
  };
};
const rows = createRows(30);

test('reading a list ends in an error if the service ignores offset', async () => {
  const { service, result, issues } = await wrong(({ limit = 0 }) => ({
    rows: rows.slice(0, limit),
    meta: { total: 30, limit, offset: 0 },
  }));
  expect(result).toBeInstanceOf(InvalidResponseError);
  expect((result as Error).message).toContain('ignore `offset`');
  expect(issues).toContain('meta.offset is 0, but 9 was requested');
  expect(service.asked.length).toBeLessThan(10);
});

test("a list whose meta contradicts its rows rejects with validation: 'strict', and is read with 'off'", async () => {
  const wrongly = ({ offset, limit = 0 }: Asked) => ({
    rows: rows.slice(offset, offset + limit),
    meta: { total: 3, limit, offset },
  });
  const strict = connect(wrongly, { validation: 'strict' });
  const error = await errorOf(strict.confab.leads.list({ limit: 10 }), InvalidResponseError);
  expect(error.issues).toEqual([{ path: 'meta.total', message: 'is 3, but the page ends at row 10' }]);
  const off = connect(wrongly, { validation: 'off' });
  expect(idsOf(await Array.fromAsync(off.confab.leads.list({ limit: 10 })))).toEqual(idsOf(rows));
  expect([...strict.drifts, ...off.drifts]).toEqual([]);
});

test('without meta, iteration continues until a page has no new row, and reports drift', async () => {
  const { result, issues } = await wrong(({ offset, limit = 0 }) => ({
    rows: rows.slice(offset, offset + limit),
  }));
  expect(idsOf(result as Row[])).toEqual(idsOf(rows));
  expect(issues).toContain('meta must be an object, got undefined');
});

test.each([undefined, { total: '60', limit: 10, offset: 0 } as never])(
  'without a valid meta (%j), a page derives its meta from its rows',
  async (meta) => {
    const { confab } = connect(({ offset, limit = 0 }) => ({
      rows: rows.slice(offset, offset + limit),
      meta,
    }));
    const page = await confab.leads.list({ limit: 20 });
    expect(page.meta).toEqual({ total: 20, limit: 20, offset: 0 });
    const next = await page.next();
    expect(next.data).toHaveLength(10);
    // The service may return fewer rows than requested: only a page without new rows is the last.
    expect(await next.next()).toMatchObject({ data: [], hasNext: false });
  },
);

test('iteration returns a row once, even if the service returns it several times', async () => {
  const { result } = await wrong((asked) =>
    pageOf([rows[0]!, rows[0]!, ...rows.slice(0, 20), rows[19]!], asked),
  );
  expect(idsOf(result as Row[])).toEqual(idsOf(rows.slice(0, 20)));
});

const lies: [string, (asked: Asked, count: number) => Answered][] = [
  [
    'returns an empty page before its total',
    ({ offset, limit = 0 }) => ({
      rows: offset === 0 ? rows.slice(0, limit) : [],
      meta: { total: 30, limit, offset },
    }),
  ],
  [
    'ignores offset, and echoes it',
    ({ offset, limit = 0 }) => ({ rows: rows.slice(0, limit), meta: { total: 15, limit, offset } }),
  ],
  [
    'repeats two rows and reports a larger total each time',
    ({ offset, limit = 0 }, count) => ({
      rows: rows.slice(0, 2),
      meta: { total: 10 + 20 * count, limit, offset },
    }),
  ],
  [
    'returns pages that do not overlap, and ever smaller totals',
    ({ offset, limit = 0 }, count) => ({
      rows: [rowOf(count * 2), rowOf(count * 2 + 1)].slice(0, count > 1 && offset === 0 ? 0 : 2),
      meta: { total: 1_000_000 - count, limit, offset },
    }),
  ],
];

test.each(lies)('reading a list stops with an error if the service %s', async (_, answer) => {
  const { service, confab } = connect(answer);
  const limit = 2;
  const error = await errorOf(Array.fromAsync(confab.leads.list({ limit }).pages()), InvalidResponseError);
  expect(error.message).toContain('leads.list stopped making progress: the API reports');
  expect(service.asked.length).toBeLessThan(100);
});

test.each([{ rows: [] }, [null], [{ name: 'Ana' }], ['row']])(
  'a list rejects data that is not a list of rows with ids, even with validation: off: %j',
  async (data) => {
    const fetch = async () => Response.json({ success: true, data });
    await errorOf(clientWith({ fetch, validation: 'off' }).leads.list(), InvalidResponseError);
  },
);

test('next() can be called again after a page failed', async () => {
  const rows = createRows(60);
  const { confab } = connect((asked, count) => {
    if (count === 1 || count === 3) {
      throw new TypeError('fetch failed');
    }
    return pageOf(rows, asked);
  });
  const list = confab.leads.list();
  await errorOf(list, Error);
  const page = await list;
  await errorOf(page.next(), Error);
  expect((await page.next()).data).toHaveLength(25);
});

test('a page can be iterated with `for` and `for await`, which return its rows', async () => {
  const { confab, service } = connectTo(rows);
  const page = await confab.leads.list({ limit: 10 });
  const own = idsOf(rows.slice(0, 10));
  expect(idsOf([...page])).toEqual(own);
  expect(idsOf(await Array.fromAsync(page))).toEqual(own);
  expect(service.asked).toHaveLength(1);
  for await (const each of confab.leads.list({ limit: 10 }).pages()) {
    expect([...each]).toEqual(each.data);
  }
});

test('next() requests one row more than `limit`, so that each page has that many new rows, up to 99', async () => {
  const many = createRows(300);
  const { service, confab } = connect((asked) => pageOf(many, asked));
  const full = await confab.leads.list({ limit: 100 });
  expect((await full.next()).data).toHaveLength(99);
  const small = await confab.leads.list({ limit: 20 });
  expect((await small.next()).data).toHaveLength(20);
  expect(service.asked.map(({ limit }) => limit)).toEqual([100, 100, 20, 21]);
});

test('pages() leaves out pages without new rows, but not the only page of an empty list', async () => {
  const { service, confab } = connect((asked, count) =>
    count === 2
      ? { rows: rows.slice(0, 10), meta: { total: 20, limit: 10, offset: asked.offset } }
      : pageOf(rows.slice(0, 20), asked),
  );
  const pages = await Array.fromAsync(confab.leads.list({ limit: 10 }).pages());
  expect(pages.every(({ data }) => data.length > 0)).toBe(true);
  expect(idsOf(pages.flatMap(({ data }) => data))).toEqual(idsOf(rows.slice(0, 20)));
  expect(service.asked.length).toBeGreaterThan(pages.length);
  const empty = connect((asked) => pageOf([], asked)).confab.leads.list();
  expect((await Array.fromAsync(empty.pages())).map(({ data }) => data)).toEqual([[]]);
});
