/**
 * A list that shrinks, grows, and lies about totals and pages while it is read: no row twice, never more than `max`, an end
 * after a bounded number of requests. Without lies, every row that stays, and exactly the rows of a list that stays as it
 * is. From an offset, only honest lists that stay as they are.
 */
import { createClient, InvalidResponseError } from '@confab/client';
import { assert, define, fc, same } from '../kit.ts';

/** After this many consecutive insertions at the front, a walk fails: it can't tell them from a service that repeats a page. */
const MOST_CHANGES = 32;

interface Page {
  rows: string[];
  total: number | undefined;
}

/** Changes the list between requests: `at` and `count` say where and how much. */
const CHANGES: Readonly<Record<string, (list: string[], at: number, added: string[]) => void>> = {
  insertFirst: (list, _, added) => list.unshift(...added),
  removeFirst: (list, _, added) => list.splice(0, added.length),
  insert: (list, at, added) => list.splice(at % (list.length + 1), 0, ...added),
  remove: (list, at, added) => list.splice(at % (list.length + 1), added.length),
};

/** Contradicts the list in one response: returns other rows, or another total. */
const LIES: Readonly<Record<string, (page: Page, list: readonly string[], at: number) => Partial<Page>>> = {
  total: (_, __, at) => ({ total: at * 40 }),
  noTotal: (_, __, at) => ({ total: at % 2 === 0 ? 0 : undefined }),
  firstPage: ({ rows }, list) => ({ rows: list.slice(0, rows.length) }),
  empty: () => ({ rows: [] }),
  short: ({ rows }, _, at) => ({ rows: rows.slice(0, at % 7) }),
  twice: ({ rows }) => ({ rows: [...rows, ...rows] }),
  long: ({ rows }, list, at) => ({ rows: [...rows, ...list.slice(at)] }),
  reversed: ({ rows }) => ({ rows: rows.toReversed() }),
};

const step = fc.record({
  how: fc.constantFrom('', ...Object.keys(CHANGES), ...Object.keys(LIES)),
  at: fc.nat(255),
  count: fc.nat(6),
});

export const target = define(
  fc.record({
    size: fc.nat(40),
    offset: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(40)),
    limit: fc.constantFrom(1, 2, 3, 5, 7, 10, 100),
    max: fc.oneof(fc.constant(Number.POSITIVE_INFINITY), fc.nat(49)),
    concurrency: fc.integer({ min: 1, max: 4 }),
    prefetch: fc.nat(3),
    way: fc.constantFrom('all', 'rows', 'pages'),
    steps: fc.array(step, { maxLength: MOST_CHANGES }),
  }),
  async ({ size, offset, limit, max, concurrency, prefetch, way, steps }) => {
    const list = Array.from({ length: size }, (_, at) => `r${at}`);
    const staying = new Set(list.slice(offset));
    const pending = (offset === 0 ? steps : []).values();
    let requests = 0;
    let [isChanged, isLie] = [false, false];
    const fetch = async (url: string) => {
      requests += 1;
      const { searchParams } = new URL(url);
      const from = Number(searchParams.get('offset') ?? 0);
      const pageLimit = Number(searchParams.get('limit') ?? 100);
      const honest: Page = { rows: list.slice(from, from + pageLimit), total: list.length };
      const { how = '', at = 0, count = 0 } = pending.next().value ?? {};
      const added = Array.from({ length: count }, (_, index) => `n${requests}-${index}`);
      const page = { ...honest, ...LIES[how]?.(honest, list, at) };
      CHANGES[how]?.(list, at, added);
      isChanged ||= how in CHANGES;
      isLie ||= how in LIES;
      for (const id of [...staying].filter((id) => !list.includes(id))) {
        staying.delete(id);
      }
      const meta = { total: page.total, limit: pageLimit, offset: from };
      return Response.json({ success: true, data: page.rows.map((id) => ({ id })), meta });
    };
    const confab = createClient({
      baseUrl: 'https://api.example.com',
      apiKey: 'key',
      validation: 'off',
      rateLimit: false,
      fetch,
    });
    const rows = confab.leads.list({ limit, offset }, way === 'all' ? {} : { prefetch });
    const seen: string[] = [];
    let error: unknown;
    try {
      if (way === 'all') {
        seen.push(...(await rows.all({ max, concurrency })).map(({ id }) => id));
      } else if (way === 'rows') {
        for await (const { id } of rows) {
          seen.push(id);
        }
      } else {
        for await (const { data } of rows.pages()) {
          seen.push(...data.map(({ id }) => id));
        }
      }
    } catch (thrown) {
      error = thrown;
      assert.ok(error instanceof InvalidResponseError, error as Error);
    }
    const most = way === 'all' ? max : Number.POSITIVE_INFINITY;
    assert.equal(new Set(seen).size, seen.length, 'a row came twice');
    assert.ok(seen.length <= most, `${seen.length} rows of at most ${most}`);
    // Pages of two rows move the walk on by one, and each page with new rows buys patience for another without.
    const mostRequests = 200 + 4 * (MOST_CHANGES + seen.length) * (1 + Math.max(concurrency, prefetch));
    assert.ok(requests <= mostRequests, `${requests} requests for ${seen.length} rows`);
    if (isLie) {
      return;
    }
    assert.equal(error, undefined, 'an honest list was refused');
    if (!isChanged) {
      same(seen, [...staying].slice(0, most), 'the rows of a list that stays as it is');
    } else if (most === Number.POSITIVE_INFINITY) {
      same(
        [...staying].filter((id) => !seen.includes(id)),
        [],
        'missed rows',
      );
    }
  },
);
