import { getEventListeners } from 'node:events';
import { fileURLToPath } from 'node:url';
import { collectGarbage, runProcess, turns } from '@confab/internal/test-support';
import { expect, test, vi } from 'vitest';
import { clientAt, clientWith } from './support/client.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createListService, pageOf, rowOf } from './support/list.ts';
import { failure, hang, reachable, startServer, success } from './support/server.ts';

/**
 * Returns the megabytes in use after a full garbage collection. Finalizers release requests and signals in later turns of
 * the event loop, so this repeats until they free nothing more.
 */
const heap = async (): Promise<number> => {
  let least = Number.POSITIVE_INFINITY;
  for (;;) {
    await turns(20);
    await collectGarbage();
    const used = process.memoryUsage().heapUsed / 2 ** 20;
    if (used > least - 0.05) {
      return Math.min(used, least);
    }
    least = used;
  }
};

test.each([
  ['a success', success(lead)],
  ['an error', failure(404, 'NOT_FOUND')],
  ['a timed-out attempt', hang],
])('%s leaves no listener on the signal', async (_, responder) => {
  const server = await startServer(responder);
  const { signal } = new AbortController();
  const confab = clientAt(server.url, { retry: false });
  const call = confab.leads.get(ids.lead, { signal, timeout: 200 });
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  await call.catch(() => {});
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('10,000 parallel calls on one signal add one listener to it, and an abort ends each of them', async () => {
  const confab = clientWith({ fetch: () => new Promise(() => {}) });
  const controller = new AbortController();
  const listen = vi.spyOn(controller.signal, 'addEventListener');
  const calls = Array.from({ length: 10_000 }, () =>
    confab.leads.get(ids.lead, { signal: controller.signal }).catch((reason: unknown) => reason),
  );
  expect(listen).toHaveBeenCalledTimes(1);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort('enough');
  expect(new Set(await Promise.all(calls))).toEqual(new Set(['enough']));
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  expect(confab.rateLimit).toMatchObject({ inFlight: 0, queued: 0 });
});

test('leaving a list early leaves no listener on the signal', async () => {
  const rows = Array.from({ length: 1_000 }, (_, index) => rowOf(index));
  const service = createListService((asked) => pageOf(rows, asked));
  const confab = clientWith({ fetch: service.fetch });
  const { signal } = new AbortController();
  for await (const row of confab.leads.list({}, { prefetch: 3, signal })) {
    if (row.id === rows[120]?.id) {
      break;
    }
  }
  await errorOf(confab.leads.list({ limit: 500 }, { signal }), Error);
  await new Promise(setImmediate);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('iterating over 100,000 rows keeps the heap flat, except for the ids already seen', {
  timeout: 300_000,
}, async () => {
  const total = 100_000;
  const service = createListService(({ offset, limit = 25 }) => ({
    rows: Array.from({ length: Math.min(limit, total - offset) }, (_, index) => rowOf(offset + index)),
    meta: { total, limit, offset },
  }));
  service.asked.push = () => 0;
  const confab = clientWith({ fetch: service.fetch });
  let rows = 0;
  let atStart = 0;
  let atEnd = 0;
  for await (const _ of confab.leads.list({}, { prefetch: 2 })) {
    rows += 1;
    if (rows === 5_000) {
      atStart = await heap();
    }
    if (rows === total - 1_000) {
      atEnd = await heap();
    }
  }
  expect(rows).toBe(total);
  // The rows themselves would take more than 40 MB; an id with its place in the set takes about 100 bytes.
  expect(atEnd - atStart).toBeLessThan((total * 130) / 2 ** 20);
});

test.runIf(reachable)('a program exits by itself after its calls end', { timeout: 30_000 }, async () => {
  const server = await startServer(failure(503, 'BUSY'), success(lead));
  const program = `
    import { createClient } from ${JSON.stringify(fileURLToPath(new URL('../src/index.ts', import.meta.url)))};
    const confab = createClient({ baseUrl: ${JSON.stringify(server.url)}, apiKey: 'k', retry: { baseDelay: 1 } });
    console.log((await confab.leads.get('${ids.lead}')).id);
    process.on('exit', () => console.log(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length));
  `;
  const args = ['--conditions=@confab/source', '--input-type=module', '--eval', program];
  const started = performance.now();
  expect(await runProcess(process.execPath, args)).toEqual({ code: 0, lines: [ids.lead, '0'], errors: '' });
  // Its timeouts were of 30 and 120 seconds.
  expect(performance.now() - started).toBeLessThan(25_000);
});
