import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { hosts, open } from '../support/hosts.ts';

const PHONE = '+5511987654321';

for (const host of hosts) {
  test(`1,000 parallel creates with one phone: one 201, 999 times 409 (${host.name})`, async () => {
    await using service = await host.open({ rateLimit: 2_000 });
    const { mock, send } = service;
    const statuses = await Promise.all(
      Array.from(
        { length: 1_000 },
        async () => (await send('leads.create', { body: { phone: PHONE } })).status,
      ),
    );
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(999);
    expect(mock.leads.count()).toBe(1);
  });
}

test('1,000 parallel updates: none lost', async () => {
  const { mock, send } = open({ rateLimit: 2_000, latency: { min: 0, max: 50 } });
  const { id } = mock.leads.create({ displayName: '0' });
  const increment = () =>
    mock.leads.update(id, ({ displayName }) => ({ displayName: String(Number(displayName) + 1) }));
  await Promise.all(
    Array.from({ length: 1_000 }, async (_, at) => {
      await send('leads.update', {
        id,
        body: at % 2 === 0 ? { email: `${at}@example.com` } : { notes: `${at}` },
      });
      increment();
    }),
  );
  expect(mock.leads.get(id)?.displayName).toBe('1000');
  expect(mock.requests.of('leads.update').filter(({ status }) => status === 200)).toHaveLength(1_000);
});

test('a hundred tests in parallel each see only their own world through server.boundary of msw', async () => {
  const server = setupServer();
  server.listen({ onUnhandledFrame: 'error' });
  try {
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        server.boundary(async () => {
          const mock = createMock({ seed: at });
          server.use(...mock.handlers);
          const call = (init?: RequestInit) =>
            fetch(`${mock.baseUrl}/api/v2/public/leads`, { ...init, headers: { 'x-api-key': mock.apiKey } });
          for (let nth = 0; nth <= at % 7; nth += 1) {
            const body = JSON.stringify({ phone: `+1202555${1_000 + nth}` });
            expect((await call({ method: 'POST', body })).status).toBe(201);
          }
          const { meta } = (await (await call()).json()) as { meta: { total: number } };
          expect(meta.total).toBe((at % 7) + 1);
        })(),
      ),
    );
  } finally {
    server.close();
  }
});
