import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { expect, test } from 'vitest';
import type { Mock, MockOptions } from '../../src/index.ts';
import type { MockRow, Table } from '../../src/world/store/table.ts';
import { worldOf } from '../../src/world/world.ts';
import { open } from '../support/hosts.ts';

/** Writes values into every row without any check, which only a bug of the mock could do. */
const spoil = (mock: Mock, values: object): void => {
  const { agents, leads, conversations, messages } = worldOf.get(mock)!.store;
  for (const { snapshot } of [agents, leads, conversations, messages]) {
    const table = snapshot as unknown as Table<MockRow>;
    for (const row of table.page({}).rows) {
      table.put({ ...row, ...values });
    }
  }
};

const readers = (
  ['conversations.list', 'conversations.get', 'leads.list', 'leads.get', 'agents.list'] as const
).map((id) => [id] as const);

const setUp = (options: MockOptions) => {
  const { mock, send } = open(options);
  const lead = mock.leads.create({});
  const conversation = mock.conversations.create({ leadId: lead.id });
  mock.messages.create({ conversationId: conversation.id });
  const read = (id: OperationId) => send(id, { id: id.startsWith('leads') ? lead.id : conversation.id });
  return { mock, read };
};

test.each(readers)('strict: %s returns a 500 with the reason if a row breaks the contract', async (id) => {
  for (const [values, says] of [
    [{ createdAt: 7, updatedAt: 7 }, /(?:createdAt|updatedAt) must be /],
    [{ internal: 'score' }, /has unknown fields: internal/],
  ] as const) {
    const { mock, read } = setUp({ strict: true });
    expect((await read(id)).status).toBe(operations[id].status);
    spoil(mock, values);
    const { status, body } = await read(id);
    expect([status, body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(body.error).toMatch(new RegExp(`^The response of ${id} breaks the contract: .*${says.source}`));
  }
});

test.each<[reply: unknown, says: string]>([
  [{ text: 'Hi', tokensIn: 1.5 }, 'data.tokensIn must be a whole number, got 1.5'],
  // JSON sends it as null.
  [{ text: 'Hi', latencyMs: Number.NaN }, 'data.latencyMs must be '],
  [{ text: 'Hi', tokenIn: 5 }, 'Did you mean `tokensIn`?'],
  [undefined, 'agents.respond() must return a string or { text, … }, got undefined'],
  [5, 'agents.respond() must return a string or { text, … }, got 5'],
  [{}, '`agents.respond().text` must be a string, got undefined'],
  [{ text: 7 }, '`agents.respond().text` must be a string, got 7'],
  [new RangeError('The model is out'), 'The model is out'],
])('agents.invoke returns a 500 with the reason if respond() returns or throws %j', async (reply, says) => {
  const respond = () => (reply instanceof Error ? Promise.reject(reply) : (reply as never));
  const { mock, send } = open({ agents: { respond } });
  const { id } = mock.agents.create({});
  const { status, body } = await send('agents.invoke', { id, body: { userMessage: 'Hi' } });
  expect(status).toBe(500);
  expect(body).toEqual({ success: false, error: expect.stringContaining(says), code: 'INTERNAL_ERROR' });
  expect(body.error, 'no stack').not.toContain('\n');
});

test('responses are checked only with strict, and those of faults never', async () => {
  const { mock, read } = setUp({ strict: false });
  spoil(mock, { internal: 'score', channel: 7 });
  for (const [id] of readers) {
    expect((await read(id)).status).toBe(200);
  }

  const strict = setUp({ strict: true });
  for (const body of [{ success: 'no' }, { success: true, data: [{ internal: 'score' }] }]) {
    strict.mock.faults.once('leads.list', { status: 404, body });
    expect(await strict.read('leads.list')).toMatchObject({ status: 404, body });
  }
});

test('strict: create(), update() and data refuse a value that the contract does not list', () => {
  const { mock } = open({ strict: true });
  const lead = mock.leads.create({ status: 'lost' });
  const refused = (name: string) =>
    `${name} cannot be stored: status must be one of "new", "active", "qualified", "converted", "lost", got "nwe"`;
  expect(() => mock.leads.create({ status: 'nwe' })).toThrow(refused('This lead'));
  expect(() => mock.leads.update(lead.id, { status: 'nwe' })).toThrow(refused('This lead'));
  const data = { leads: [{ status: 'nwe' }] };
  expect(() => open({ strict: true, data })).toThrow(refused('data.leads[0]'));
  expect(() => mock.conversations.create({ priority: 'hihg' })).toThrow('"high", "urgent", got "hihg"');
  expect(mock.leads.get(lead.id)?.status).toBe('lost');
  // Without strict, enums are open, because the service may add values.
  expect(open({ strict: false }).mock.leads.create({ status: 'nwe' }).status).toBe('nwe');
});
