import { expect, test } from 'vitest';
import { hosts, PHONE } from '../support/hosts.ts';

test.each(hosts)('1,000 parallel creates with one phone: one 201, 999 times 409 ($name)', async (host) => {
  const service = await host.open({ rateLimit: 2_000 });
  const create = async () => (await service.send('leads.create', { body: { phone: PHONE } })).status;
  const statuses = await Promise.all(Array.from({ length: 1_000 }, create));
  expect(statuses.filter((status) => status === 201)).toHaveLength(1);
  expect(statuses.filter((status) => status === 409)).toHaveLength(999);
  expect(service.mock.leads.count()).toBe(1);
});
