import { expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';
import { start } from '../support/serving.ts';
import { makeWorld } from '../support/worlds.ts';

test('1,000 worlds fit in 200 MB, with a request to each', { timeout: 90_000 }, async () => {
  const { code, output } = await runProgram(
    `
    const mock = createMock();
    const server = await serve(mock);
    const post = async (url, key, body) => {
      const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': key }, body });
      return (await response.json()).data;
    };
    const make = async () => {
      const { baseUrl, apiKey } = await post(server.url + '/__mock/worlds', '', '{}');
      await post(baseUrl + '/api/v2/public/leads', apiKey, '{"phone":"+5511987654321"}');
    };
    const memory = () => { gc(); gc(); return process.memoryUsage(); };
    await make();
    const before = memory();
    for (let at = 1; at < 1_000; at += 1) await make();
    const after = memory();
    const grown = (name) => (after[name] - before[name]) / 1e6;
    console.log(JSON.stringify({ heap: grown('heapUsed'), resident: grown('rss') }));
    await server.close();
    `,
    "import('node:v8').then(({ setFlagsFromString }) => setFlagsFromString('--expose-gc')); globalThis.gc = (await import('node:vm')).runInNewContext('gc');",
  );
  expect([code, output]).toEqual([0, expect.stringContaining('{"heap"')]);
  const { heap, resident } = JSON.parse(output) as { heap: number; resident: number };
  expect(heap).toBeLessThan(100);
  expect(resident).toBeLessThan(200);
});

test('a process of 256 MB survives more large worlds than fit into it', { timeout: 90_000 }, async () => {
  const { code, output } = await runProgram(
    `
    const server = await serve(createMock());
    const notes = 'x'.repeat(20);
    const body = JSON.stringify({ data: { leads: Array(30_000).fill({ notes }) } });
    const counts = {};
    for (let at = 0; at < 30; at += 1) {
      const { status } = await fetch(server.url + '/__mock/worlds', { method: 'POST', body });
      counts[status] = (counts[status] ?? 0) + 1;
    }
    console.log(JSON.stringify(counts));
    await server.close();
    `,
    '',
    ['--max-old-space-size=256'],
  );
  expect([code, output]).toEqual([0, expect.stringMatching(/^\{"201":\d,"507":2\d\}\n$/)]);
});

test('200 worlds under parallel load share nothing', async () => {
  await using service = await start();
  const worlds = await Promise.all(
    Array.from({ length: 200 }, (_, at) => makeWorld(service.server, { seed: at % 5, rateLimit: 40 })),
  );
  const leads = (count: number) =>
    Array.from({ length: count }, (_, at) => `+55119876${String(at).padStart(5, '0')}`);
  const totals = await Promise.all(
    worlds.map(async ({ api, control }, at) => {
      const count = 1 + (at % 7);
      // The same phones in every world: a shared row would be a 409.
      const made = await Promise.all(
        leads(count).map((phone) => api('leads', { method: 'POST', body: JSON.stringify({ phone }) })),
      );
      expect(made.map(({ status }) => status)).toEqual(Array(count).fill(201));
      await control('POST', 'clock', { advance: at });
      const { meta } = await api('leads');
      const clock = await control('GET', 'clock');
      const log = await control('POST', 'requests/count', {});
      return {
        leads: meta.total - count,
        moved: Date.parse(String(clock.data.now)) - at,
        log: Number(log.data.count) - count,
      };
    }),
  );
  expect(totals).toEqual(Array(200).fill({ leads: 0, moved: Date.UTC(2026, 0, 1), log: 1 }));
  expect(service.mock.requests.length).toBe(0);
  expect(service.mock.leads.count()).toBe(0);
});

test('a world is made in a few milliseconds', async () => {
  await using service = await start();
  await makeWorld(service.server);
  const took: number[] = [];
  for (let at = 0; at < 50; at += 1) {
    const began = performance.now();
    await makeWorld(service.server);
    took.push(performance.now() - began);
  }
  // The median, because the machine may have other things to do.
  expect(took.toSorted((a, b) => a - b)[25]).toBeLessThan(5);
});
