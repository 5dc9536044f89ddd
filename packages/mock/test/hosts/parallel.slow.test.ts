import { expect, test } from 'vitest';
import { hosts, open, PHONE } from '../support/hosts.ts';

test.each(hosts)(
  'of 1,000 parallel creations with one phone number, one returns 201 and 999 return 409 ($name)',
  async (host) => {
    const service = await host.open({ rateLimit: 2_000 });
    const create = async () => (await service.send('leads.create', { body: { phone: PHONE } })).status;
    const statuses = await Promise.all(Array.from({ length: 1_000 }, create));
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(999);
    expect(service.mock.leads.count()).toBe(1);
  },
);

test('1,000 parallel updates are all applied', async () => {
  const { mock, send } = open({ rateLimit: 2_000, latency: { min: 0, max: 50 } });
  const { id } = mock.leads.create({ displayName: '0' });
  const update = async (_: unknown, at: number) => {
    const body = at % 2 === 0 ? { email: `${at}@example.com` } : { notes: `${at}` };
    await send('leads.update', { id, body });
    mock.leads.update(id, ({ displayName }) => ({ displayName: String(Number(displayName) + 1) }));
  };
  await Promise.all(Array.from({ length: 1_000 }, update));
  expect(mock.leads.get(id)?.displayName).toBe('1000');
  expect(mock.requests.of('leads.update').filter(({ status }) => status === 200)).toHaveLength(1_000);
});
