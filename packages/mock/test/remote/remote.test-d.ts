import type { Lead } from '@confab/client/contract';
import { expectTypeOf, test } from 'vitest';
import type { StoredLead } from '../../src/index.ts';
import { createMock, expectNothingMissed } from '../../src/index.ts';
import type { RemoteMock } from '../../src/remote/index.ts';

test('methods of a remote mock return promises of the results of a local mock', async () => {
  const remote = {} as RemoteMock;
  const mock = createMock();
  expectTypeOf(remote.leads.get('x')).resolves.toEqualTypeOf<Readonly<StoredLead> | undefined>();
  expectTypeOf(remote.requests.all()).resolves.toEqualTypeOf(mock.requests.all);
  expectTypeOf(remote.requests.length()).resolves.toEqualTypeOf<number>();
  expectTypeOf(remote.keys.create({ scopes: ['read:leads'] })).resolves.toEqualTypeOf(mock.keys.create());
  expectTypeOf((await remote.inbound({ phone: 'x', body: 'y' })).lead).toEqualTypeOf<Lead>();
  expectTypeOf(expectNothingMissed(remote)).toEqualTypeOf<Promise<void>>();
  expectTypeOf(expectNothingMissed(mock)).toEqualTypeOf<void>();
  expectTypeOf((await remote.worlds.create()).leads).toEqualTypeOf(remote.leads);
});

test('arguments that cannot be sent to a remote mock do not compile', () => {
  const remote = {} as RemoteMock;
  // @ts-expect-error A fault function cannot be sent.
  remote.faults.once('leads.list', () => undefined);
  // @ts-expect-error A query cannot be sent.
  remote.leads.find((query) => query);
  // @ts-expect-error A function that computes changes cannot be sent.
  remote.leads.update('x', (row) => row);
  // @ts-expect-error A function that receives deliveries cannot be sent.
  remote.webhooks.add({ url: 'http://a.test', secret: 's', fetch: () => new Response() });
  // @ts-expect-error A misspelled field.
  remote.leads.create({ displayname: 'Ana' });
  // @ts-expect-error A misspelled option.
  remote.worlds.create({ sede: 1 });
});
