import type { Message, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { expect, test } from 'vitest';
import { Refusal } from '../../src/errors/refusal.ts';
import type { Mock, MockOptions } from '../../src/index.ts';
import type { MockRow, Table } from '../../src/world/store/table.ts';
import { worldOf } from '../../src/world/world.ts';
import { open } from '../support/hosts.ts';

/** Puts a value into every row, past all checks: only a mistake of ours could do that. */
const spoil = (mock: Mock, values: object): void => {
  const { agents, leads, conversations, messages } = worldOf.get(mock)!.store;
  const spoilAll = <T extends MockRow>(collection: { readonly snapshot: Table<T> }): void => {
    const table = collection.snapshot;
    for (const row of table.page({}).rows) {
      table.put({ ...row, ...values });
    }
  };
  spoilAll(agents);
  spoilAll(leads);
  spoilAll(conversations);
  spoilAll(messages);
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

test.each(readers)(
  'strict: %s with a row that breaks the contract becomes a 500 that says how',
  async (id) => {
    const { mock, read } = setUp({ strict: true });
    expect((await read(id)).status).toBe(operations[id].status);
    const [field] = id === 'agents.list' ? ['llmProvider'] : ['createdAt'];
    spoil(mock, { [field]: 7 });
    const { status, body } = await read(id);
    expect(status).toBe(500);
    expect(body).toEqual({ success: false, error: expect.any(String), code: 'INTERNAL_ERROR' });
    expect(body.error).toMatch(new RegExp(`^The response of ${id} breaks the contract: .*${field} must be `));
  },
);

test.each(readers)('strict: %s with a field that the contract does not have becomes a 500', async (id) => {
  const { mock, read } = setUp({ strict: true });
  spoil(mock, { internal: 'score' });
  const { status, body } = await read(id);
  expect(status).toBe(500);
  expect(body.error).toMatch(/has unknown fields: internal/);
});

test('strict: agents’ replies are checked', async () => {
  const respond = () => ({ text: 'Hi', tokensIn: 1.5 });
  const { mock, send } = open({ strict: true, agents: { respond } });
  const { id } = mock.agents.create({});
  const { status, body } = await send('agents.invoke', { id, body: { userMessage: 'Hi' } });
  expect(status).toBe(500);
  expect(body.error).toMatch(/data\.tokensIn must be a whole number, got 1\.5/);
});

test('strict: a number that JSON cannot express is checked as it is sent', async () => {
  const respond = () => ({ text: 'Hi', latencyMs: Number.NaN });
  const { mock, send } = open({ strict: true, agents: { respond } });
  const { id } = mock.agents.create({});
  const { body } = await send('agents.invoke', { id, body: { userMessage: 'Hi' } });
  expect(body.error).toMatch(/data\.latencyMs must be .*, got null/);
});

test('strict: an error response that is not the envelope of the contract becomes a 500 that says how', async () => {
  for (const [thrown, status, says] of [
    [new Refusal(404, 42 as never, 'Gone'), 404, 'code must be a string, got 42'],
    [
      Object.assign(new Error(), { message: { reason: 'none' } }),
      500,
      'error must be a string, got an object',
    ],
  ] as const) {
    const invoke = async (strict: boolean) => {
      const respond = () => {
        throw thrown;
      };
      const { mock, send } = open({ strict, agents: { respond } });
      const { id } = mock.agents.create({});
      return send('agents.invoke', { id, body: { userMessage: 'Hi' } });
    };
    const answer = await invoke(true);
    expect([answer.status, answer.body.code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(answer.body.error).toContain(says);
    expect((await invoke(false)).status).toBe(status);
  }
});

test('strict: an unknown field of a nested row is found', async () => {
  const { mock, read } = setUp({ strict: true });
  const { store } = worldOf.get(mock)!;
  const [message] = mock.messages.find();
  store.messages.snapshot.put({ ...message!, internal: 'score' } as Message);
  expect((await read('conversations.get')).body.error).toMatch(
    /data\.messages\[0\] has unknown fields: internal/,
  );
});

test('without strict no response is checked, and the responses of faults never are', async () => {
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

test('strict: a row with a value that the contract does not list is refused, however it is arranged', () => {
  const { mock } = open({ strict: true });
  const lead = mock.leads.create({ status: 'lost' });
  const refused = (name: string) =>
    `${name} can't be stored: status has the value \`nwe\`, which is not in the contract, and the mock is strict. Did you mean new?`;
  expect(() => mock.leads.create({ status: 'nwe' })).toThrow(refused('This lead'));
  expect(() => mock.leads.update(lead.id, { status: 'nwe' })).toThrow(refused('This lead'));
  expect(() => open({ strict: true, data: { leads: [{ status: 'nwe' }] } })).toThrow(
    refused('data.leads[0]'),
  );
  expect(() => mock.conversations.create({ priority: 'hihg' })).toThrow('Did you mean high?');
  expect(mock.leads.get(lead.id)?.status).toBe('lost');
  // As in responses, where the service may add values.
  expect(open({ strict: false }).mock.leads.create({ status: 'nwe' }).status).toBe('nwe');
});
