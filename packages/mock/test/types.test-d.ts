import { createClient } from '@confab/client';
import type { Lead } from '@confab/client/contract';
import { setupServer } from 'msw/node';
import { expectTypeOf, test } from 'vitest';
import type { KeyInit, StoredLead } from '../src/index.ts';
import { createMock } from '../src/index.ts';

const mock = createMock();

test('createClient(), setupServer() and fetch accept the properties of a mock', () => {
  createClient(mock.clientOptions);
  setupServer(...mock.handlers);
  expectTypeOf(mock.fetch).toExtend<typeof globalThis.fetch>();
});

test('rows have the types of the contract and are read-only', () => {
  const lead = mock.leads.create({ phone: '+5511987654321' });
  expectTypeOf(lead).toEqualTypeOf<Readonly<StoredLead>>();
  expectTypeOf(lead).toExtend<Lead>();
  // @ts-expect-error rows are read-only
  lead.status = 'lost';
});

test('fields, operations and options that do not exist do not compile', () => {
  // @ts-expect-error leads have no such field
  mock.leads.create({ telephone: '+5511987654321' });
  // @ts-expect-error a message needs its conversation
  mock.messages.create({ content: 'Hi' });
  // @ts-expect-error an id cannot change
  mock.leads.update('id', { id: 'other' });
  // @ts-expect-error no such operation
  mock.faults.once('leads.remove', { status: 500 });
  // @ts-expect-error no such operation
  mock.requests.of('leads.remove');
  // @ts-expect-error no such network fault
  mock.faults.once('leads.list', { network: 'slow' });
  // @ts-expect-error no such data
  createMock({ data: 'huge' });
  // @ts-expect-error no such operation
  createMock({ scopes: { 'leads.remove': 'write:leads' } });
});

test('editors complete the scopes of a key, which may also be of other names', () => {
  type KeyScope = NonNullable<KeyInit['scopes']>[number];
  expectTypeOf<Extract<KeyScope, 'write:leads' | 'read:nothing'>>().toEqualTypeOf<'write:leads'>();
  expectTypeOf<string>().toExtend<KeyScope>();
});

test('find() accepts only fields and values of its rows', () => {
  mock.leads.find((q) => q.where({ status: 'new' }).or({ displayName: (name) => name === 'Ana' }));
  // @ts-expect-error a lead has no such field
  mock.leads.find((q) => q.where({ telephone: '1' }));
  // @ts-expect-error a status is a string
  mock.leads.find({ status: 5 });
});
