// @vitest-environment node
/** What a user of vitest and msw writes: each test has a mock of its own, which only its requests reach. */
import { test } from '@confab/mock/vitest';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect } from 'vitest';

const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
afterAll(() => server.close());

test.aroundEach((runTest, { mock }) =>
  server.boundary(async () => {
    server.use(...mock.handlers);
    await runTest();
  })(),
);

test.concurrent.for([1, 2, 3])(
  'a mock receives exactly the %d requests of its own test',
  async (count, { mock }) => {
    for (let sent = 0; sent < count; sent += 1) {
      await fetch(`${mock.baseUrl}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
    }
    expect(mock.requests.of('agents.list')).toHaveLength(count);
  },
);
