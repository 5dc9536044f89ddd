import type { createClient } from '@confab/client';
import { expect, test } from 'vitest';
import { startRecorder } from '../support/exchanges.ts';
import { KEY, replay, startForwarding } from '../support/forwarding.ts';
import { idOf, json, leadOf, pageOf, startRealService } from '../support/real-service.ts';

type Client = ReturnType<typeof createClient>;

/** The result of a call: its data, or the properties of its error that a program can read. */
const outcome = async (call: PromiseLike<unknown>): Promise<unknown> => {
  try {
    return await call;
  } catch (error) {
    const { name, status, code, missingScope, message } = error as Error & Record<string, unknown>;
    const texts = status === undefined ? {} : { message };
    return { name, status, code, missingScope, ...texts };
  }
};

/** A program that uses every operation, and goes on after each failure. */
const program = async (confab: Client, knownPhone: string, newPhone: string, name: string) => {
  const results: Record<string, unknown> = {};
  const run = async (what: string, call: PromiseLike<unknown>) => {
    results[what] = await outcome(call);
  };
  await run('leads', confab.leads.list().all());
  await run('lead 1', confab.leads.get(idOf(1)));
  await run('lead 1 again', confab.leads.get(idOf(1)));
  await run('lead 1 for the third time', confab.leads.get(idOf(1)));
  await run('lead 2', confab.leads.get(idOf(2)));
  await run('a missing lead', confab.leads.get(idOf(9)));
  await run('a known phone', confab.leads.create({ phone: knownPhone }));
  await run('a new phone', confab.leads.create({ phone: newPhone, displayName: name, notes: 'Owes money' }));
  await run('update', confab.leads.update(idOf(1), { status: 'active', notes: 'Paid' }));
  await run('active leads', confab.leads.list({ status: 'active' }).all());
  await run('new leads', confab.leads.list({ status: 'new' }).all());
  await run('conversations', confab.conversations.list().all());
  await run('message', confab.conversations.sendMessage(idOf(50), { content: 'See you at 9, Ana' }));
  await run('conversation', confab.conversations.get(idOf(50)));
  await run('agents', confab.agents.list());
  await run('agent', confab.agents.invoke(idOf(70), { userMessage: 'What do I owe?' }));
  await run('agent again', confab.agents.invoke(idOf(70), { userMessage: 'And now?' }));
  await run('funnel', confab.analytics.funnel());
  await run('agents again', confab.agents.list());
  return results;
};

/** Compares two trees, and returns which text of the first became which of the second. */
const pairsOf = (real: unknown, replayed: unknown, path = ''): [string, string][] => {
  if (typeof real === 'string' && typeof replayed === 'string') {
    return real === replayed ? [] : [[real, replayed]];
  }
  if (typeof real === 'object' && real !== null && typeof replayed === 'object' && replayed !== null) {
    expect([path, Object.keys(replayed).sort()]).toEqual([path, Object.keys(real).sort()]);
    return Object.entries(real).flatMap(([name, value]) =>
      pairsOf(value, Reflect.get(replayed, name), `${path}.${name}`),
    );
  }
  expect([path, replayed]).toEqual([path, real]);
  return [];
};

test('a program gets the same results from the recording as from the service, except for stand-ins', async () => {
  const service = await startRealService();
  const lead = 'GET leads/0190a0b0-0000-4000-8000-000000000001';
  service.once(lead, (_, outgoing) => json(outgoing, 200, { success: true, data: leadOf(1) }));
  service.once(lead, (_, outgoing) => {
    outgoing.writeHead(503, { 'content-type': 'text/html' }).end('<h1>Sorry, Quitéria Nº1 Prado</h1>');
  });
  service.once('GET leads/0190a0b0-0000-4000-8000-000000000002', (_, outgoing) => outgoing.destroy());
  service.once('POST agents/0190a0b0-0000-4000-8000-000000000070/invoke', (_, outgoing) =>
    json(
      outgoing,
      429,
      { success: false, error: `Key ${KEY} is too fast`, code: 'RATE_LIMIT_EXCEEDED' },
      { 'retry-after': '0', 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' },
    ),
  );
  service.once('GET agents', (_, outgoing) =>
    json(outgoing, 403, { success: false, error: 'Needs read:agents', code: 'SCOPE_REQUIRED' }),
  );
  service.once('GET agents', (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
    outgoing.write('{"success":', () => outgoing.destroy());
  });
  const { server, confab } = await startForwarding(service.url);
  const real = await program(confab, '+5511987651001', '+5511900000000', 'Zuleica Brandão');
  const recording = server.data();
  const known = recording.leads?.find(({ id }) => id === idOf(1))?.phone ?? '';
  const { confab: replayed } = replay(recording);
  const again = await program(replayed, known, '+5511911111111', 'Person 0009');

  expect(real['lead 1 again']).toMatchObject({ status: 503 });
  expect(real['lead 2']).toMatchObject({ name: 'ConnectionError' });
  expect(real['a known phone']).toMatchObject({ code: 'LEAD_EXISTS' });
  expect(real.agents).toMatchObject({ missingScope: 'read:agents' });
  expect(real.agent).toMatchObject({ status: 429 });

  const pairs = pairsOf(real, again);
  const standIns = new Map(pairs.filter(([from]) => !/^\d{4}-|^0190a0b0/.test(from)));
  for (const [from, to] of pairs) {
    // Rows that the program created have different ids and times, and errors of the platform have different texts.
    if (standIns.has(from)) {
      expect([from, standIns.get(from)]).toEqual([from, to]);
    }
  }
  expect(new Set(standIns.values()).size).toBe(standIns.size);
  expect(standIns.get('+5511987651001')).toBe(known);
  expect(known).toMatch(/^\+1\d{3}5550\d{3}$/);
  expect(recording.leads?.map(({ status }) => status)).toEqual(['new', 'new']);
});

test('data that drifts from the contract is recorded with its types, and without unknown fields', () => {
  const { recorder, record } = startRecorder();
  const drifted = leadOf(1, { phone: 5511987651001, email: { at: 'home' }, nickname: 'Quita' });
  record(['GET', 'leads'], 200, pageOf([drifted, leadOf(2)], { total: '2' }));
  const { leads, faults } = recorder.data([]);
  expect(leads).toMatchObject([{ id: idOf(2) }]);
  const cleaned = { ...leadOf(1), displayName: 'Person 0002', phone: 0, email: {} };
  const body = pageOf([cleaned, leads[0]], { total: 'word-0001' });
  expect(faults).toEqual([{ operation: 'leads.list', fault: { status: 200, body } }]);
});

test('a row that was created with an unexpected 2xx status is created again, in the first pipeline', async () => {
  const service = await startRealService();
  const listed = leadOf(1, { pipelineId: idOf(90) });
  service.once('GET leads', (_, outgoing) => json(outgoing, 200, pageOf([listed])));
  service.once('POST leads', (_, outgoing) => json(outgoing, 200, { success: true, data: leadOf(3) }));
  const { server, call, reported } = await startForwarding(service.url);
  await call('leads');
  const response = await call('leads', { method: 'POST', body: '{"phone":"+5511987651003"}' });
  expect(response.status).toBe(200);
  expect(reported).toEqual([expect.stringContaining('leads.create response: status must be 201')]);
  const recording = server.data();
  expect([recording.leads, recording.faults]).toMatchObject([[{ id: listed.id }], []]);
  const { confab, mock } = replay(recording);
  const created = await confab.leads.create({ phone: '+12005550199' });
  expect([created.pipelineId, mock.leads.count()]).toEqual([leadOf(3).pipelineId, 2]);
});

test('rows with equal times are replayed in the order in which the service listed them', async () => {
  const { recorder, record } = startRecorder();
  const leads = [1, 2, 3].map((at) => leadOf(at, { createdAt: '2026-01-01T00:00:00.000Z' }));
  record(['GET', 'leads'], 200, pageOf(leads));
  const { confab } = replay(recorder.data([]));
  expect((await confab.leads.list()).data.map(({ id }) => id)).toEqual(leads.map(({ id }) => id));
});
