import { expect, test } from 'vitest';
import { connect, idsOf, numbered, pageOf } from './support/list.ts';

const rows = numbered(60);

test('a page can be iterated with `for` and `for await`, which return its rows', async () => {
  const { confab, service } = connect((asked) => pageOf(rows, asked));
  const page = await confab.leads.list({ limit: 10 });
  const own = idsOf(rows.slice(0, 10));
  expect(idsOf([...page])).toEqual(own);
  expect(idsOf(await Array.fromAsync(page))).toEqual(own);
  const seen: string[] = [];
  for await (const { id } of page) {
    seen.push(id);
  }
  expect(seen).toEqual(own);
  expect(service.asked).toHaveLength(1);
  for await (const each of confab.leads.list({ limit: 10 }).pages()) {
    expect([...each]).toEqual(each.data);
  }
});

test('next() follows a list that shrinks with each request, and loses no row', async () => {
  const { service, confab } = connect((asked, count) => pageOf(rows.slice(count - 1), asked));
  const first = await confab.leads.list({ limit: 10 });
  const next = await first.next();
  expect(service.asked.map(({ offset }) => offset)).toEqual([0, 9, 8, 6]);
  expect(idsOf(next.data)).toEqual(idsOf(rows.slice(10, 20)));
});

test('next() requests one row more than `limit`, so that each page has that many new rows, up to 99', async () => {
  const many = numbered(300);
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

test('a `meta` with a wrong type is replaced by one derived from the rows', async () => {
  const { confab } = connect(() => ({
    rows: rows.slice(0, 7),
    meta: { total: '60', limit: 10, offset: 0 } as never,
  }));
  expect((await confab.leads.list()).meta).toEqual({ total: 7, limit: 7, offset: 0 });
});
