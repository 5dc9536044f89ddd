import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import type { ClientOptions, Lead, Paginated } from '../src/index.ts';
import { Limiter } from '../src/rate-limit/limiter.ts';
import { acquire } from './support/acquire.ts';
import { clientWith } from './support/client.ts';
import { ids, lead } from './support/data.ts';
import { createRows, pageOf } from './support/list.ts';
import { createManualClock } from './support/manual-clock.ts';

/** A client of a service that leaves the requests of an import and later pages of a list without a response. */
const connect = (options: ClientOptions = {}) => {
  const sent: string[] = [];
  const all = createRows(1_000);
  const confab = clientWith({
    fetch: async (input, init) => {
      const { method, url } = new Request(input, init);
      const { pathname, searchParams } = new URL(url);
      sent.push(`${method} ${pathname.split('/').at(-1)}`);
      const offset = Number(searchParams.get('offset'));
      if (method === 'POST' || offset > 0) {
        await new Promise(() => {});
      }
      if (pathname.endsWith('/leads')) {
        const { rows, meta } = pageOf(all, { offset, limit: 100 });
        return Response.json({ success: true, data: rows, meta });
      }
      return Response.json({ success: true, data: lead });
    },
    ...options,
  });
  return { confab, sent };
};

const rows = Array.from({ length: 40 }, (_, index) => ({ phone: `+3460000${1_000 + index}` }));

test('an import leaves a slot free, so a call starts at once', async () => {
  const { confab, sent } = connect({ concurrency: 4 });
  const controller = new AbortController();
  const run = confab.leads.ensureMany(rows, { signal: controller.signal }).catch(() => 'aborted');
  await eventually(() => expect(confab.rateLimit).toMatchObject({ inFlight: 3, queued: 1 }));

  await confab.leads.get(ids.lead);

  expect(sent).toEqual(['POST leads', 'POST leads', 'POST leads', `GET ${ids.lead}`]);
  controller.abort();
  expect(await run).toBe('aborted');
});

test.each<[string, (list: Paginated<Lead>) => Promise<unknown>]>([
  ['all()', (list) => list.all({ concurrency: 9 })],
  ['prefetch', (list) => Array.fromAsync(list)],
])('pages that are read ahead by %s leave a slot free', async (_, read) => {
  const { confab, sent } = connect({ concurrency: 4 });
  const controller = new AbortController();
  const list = confab.leads.list({}, { prefetch: 9, signal: controller.signal });
  const run = read(list).catch(() => 'aborted');
  await eventually(() => expect(confab.rateLimit).toMatchObject({ inFlight: 3, queued: 6 }));

  await confab.leads.get(ids.lead);

  expect(sent.at(-1)).toBe(`GET ${ids.lead}`);
  controller.abort();
  expect(await run).toBe('aborted');
});

test('the search of leads.ensure goes ahead of an import, however many pages it has', async () => {
  const { clock, turnTo } = createManualClock();
  const phone = '+442079460958';
  const found = createRows(250).map((row) => ({ ...row, phone: row.id.endsWith('249') ? phone : '' }));
  const sent: string[] = [];
  const confab = clientWith({
    clock,
    rateLimit: { requests: 1, perMs: 1_000 },
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const { searchParams } = new URL(request.url);
      if (request.method === 'GET') {
        const offset = Number(searchParams.get('offset'));
        sent.push(`GET ${offset}`);
        const { rows: data, meta } = pageOf(found, { offset, limit: 100 });
        return Response.json({ success: true, data, meta });
      }
      const body = (await request.json()) as { phone: string };
      sent.push(body.phone === phone ? 'ensure' : 'import');
      return body.phone === phone
        ? Response.json({ success: false, error: 'It exists', code: 'ALREADY_EXISTS' }, { status: 409 })
        : Response.json({ success: true, data: lead }, { status: 201 });
    },
  });
  const run = confab.leads.ensureMany(rows.slice(0, 4)).then(({ created }) => created);
  await turnTo(500);
  const ensured = confab.leads.ensure({ phone });
  await turnTo(20_000);

  expect(await ensured).toMatchObject({ status: 'existing', lead: { phone } });
  expect(await run).toBe(4);
  expect(sent.slice(0, 5)).toEqual(['import', 'ensure', 'GET 0', 'GET 99', 'GET 198']);
});

test('direct calls go before bulk work, and retries before new calls of either kind', async () => {
  const { clock, settle } = createManualClock();
  const limiter = new Limiter({ clock, concurrency: 1, rateLimit: false });
  const order: string[] = [];
  const first = await acquire(limiter);
  const run = async (name: string, isBulk: boolean, isRetry: boolean) => {
    const permit = await acquire(limiter, { isBulk, isRetry });
    order.push(name);
    permit.end({ counts: true });
  };
  const all = [
    run('bulk', true, false),
    run('bulk retry', true, true),
    run('direct', false, false),
    run('direct retry', false, true),
  ];
  await settle();
  first.end({ counts: true });
  await Promise.all(all);
  expect(order).toEqual(['direct retry', 'direct', 'bulk retry', 'bulk']);
});

test('bulk work that waits beside the free slot reports that it waits for a slot', async () => {
  const { clock, settle } = createManualClock();
  const limiter = new Limiter({ clock, concurrency: 2, rateLimit: false });
  const first = await acquire(limiter, { isBulk: true });
  const second = acquire(limiter, { isBulk: true });
  await settle();
  expect(limiter.waitsFor()).toBe('a free slot (`concurrency` is 2)');
  first.end({ counts: true });
  await second;
});
