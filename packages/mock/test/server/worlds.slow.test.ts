import { expect, test } from 'vitest';
import { runProgram } from '../support/program.ts';

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
