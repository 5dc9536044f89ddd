import { describe, expect } from 'vitest';
import { test } from '../../src/vitest/index.ts';

const PHONE = '+5511987654321';

test.for(['first', 'second'])(
  'each test has its own mock and client: the %s',
  async (_, { mock, confab }) => {
    expect(mock.leads.count()).toBe(0);
    await confab.leads.create({ phone: PHONE });
    expect(mock.leads.count()).toBe(1);
  },
);

describe('with mockOptions', () => {
  test.override('mockOptions', { data: 'demo', rateLimit: 1 });

  test('the mock of a block of tests has the overridden options', async ({ mock, confab }) => {
    const began = mock.clock.now();
    expect(await confab.leads.list({ limit: 1 })).toMatchObject({ meta: { total: 60 } });
    await confab.agents.list();
    expect(mock.clock.now()).toBe(began + 60_000);
  });
});

describe.each([
  [undefined, /breaks the contract/],
  [false, /^none$/],
] as const)('with the mock option strict: %s', (strict, says) => {
  const agents = { respond: () => ({ text: 'Hi', tokensIn: 0.5 }) };
  test.override('mockOptions', { agents, ...(strict === false && { strict }) });

  test('replies of agents are checked against the contract, unless strict is false', async ({
    mock,
    confab,
  }) => {
    const [agent] = mock.agents.find();
    const answer = confab.agents.invoke(agent!.id, { userMessage: 'Hello' }, { validation: 'off' });
    expect(await answer.then(() => 'none', String)).toMatch(says);
  });
});

describe('with clientOptions', () => {
  const lines: string[] = [];
  test.override('clientOptions', {
    retry: false,
    hooks: { onCallEnd: ({ operation }) => lines.push(operation) },
  });

  test('the client has the overridden options, and still calls the mock', async ({ mock, confab }) => {
    mock.faults.once('agents.list', { status: 503 });
    await expect(confab.agents.list()).rejects.toThrow();
    expect(mock.requests.of('agents.list')).toHaveLength(1);
    expect(lines).toEqual(['agents.list']);
  });
});
