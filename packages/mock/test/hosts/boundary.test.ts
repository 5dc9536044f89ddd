import { eventually } from '@confab/internal/test-support';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect } from 'vitest';
import { test } from '../../src/vitest/index.ts';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

const list = async ({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string }) => {
  const response = await fetch(`${baseUrl}/api/v2/public/leads`, { headers: { 'x-api-key': apiKey } });
  return (await response.json()).data;
};

test.aroundEach((runTest, { mock }) =>
  server.boundary(async () => {
    server.use(...mock.handlers);
    await runTest();
  })(),
);

const met = new Set<string>();

for (const name of ['Ada', 'Grace', 'Joan']) {
  test.concurrent(`the requests of concurrent test ${name} reach only the mock of that test`, async ({
    mock,
  }) => {
    const lead = mock.leads.create({ displayName: name });
    met.add(name);
    // From here on, all three tests are in progress.
    await eventually(() => expect(met.size).toBe(3));
    expect(await list(mock)).toMatchObject([{ id: lead.id, displayName: name }]);
    expect(mock.requests.length).toBe(1);
  });
}
