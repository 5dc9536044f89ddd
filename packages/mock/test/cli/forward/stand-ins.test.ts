import { expect, test } from 'vitest';
import { Recording } from '../../../src/cli/forward/recording.ts';
import { exchanges } from '../../support/exchanges.ts';
import { idOf, leadOf, PIPELINE } from '../../support/real-service.ts';

test('of the fields that name a kind, only the words of the contract are kept', () => {
  const exchange = exchanges();
  const recording = new Recording({ keepPersonalData: false });
  const page = (data: unknown) => ({ success: true, data, meta: { total: 2, limit: 25, offset: 0 } });
  const rows = [
    leadOf(1, { source: 'website', status: 'qualified' }),
    leadOf(2, { source: 'Zuleica', status: 'snoozd' }),
    leadOf(3, { source: 'Zuleica', status: 'urgent' }),
  ];
  const agent = { id: idOf(70), description: null, updatedAt: '2026-01-01T00:00:00Z' };
  const agents = [{ ...agent, name: 'Brandao', llmProvider: 'Zuleica', llmModel: 'Prado' }];
  const conversation = { id: idOf(50), pipelineId: PIPELINE, leadId: null, lastMessageAt: null };
  const conversations = [
    {
      ...conversation,
      channel: 'live_chat',
      status: 'open',
      priority: 'low',
      createdAt: '2026-01-01T00:00:00Z',
    },
  ];
  recording.add(exchange(['GET', 'leads'], 200, page(rows)));
  recording.add(exchange(['GET', 'agents'], 200, { success: true, data: agents }));
  recording.add(exchange(['GET', 'conversations'], 200, page(conversations)));
  const refused = { success: false, error: 'Missing', code: 'Zuleica' };
  recording.add(exchange(['GET', `leads/${idOf(4)}`], 404, refused));
  recording.add(exchange(['GET', `leads/${idOf(5)}`], 404, { ...refused, code: 'NO_LEAD' }));
  recording.add(exchange(['GET', `leads/${idOf(6)}`], 404, { ...refused, code: 'NOT_FOUND' }));
  const { leads = [], faults, ...others } = recording.data([]);
  expect(leads.map(({ source, status }) => [source, status])).toEqual([
    ['website', 'qualified'],
    ['word-0002', 'word-0004'],
    ['word-0002', 'word-0005'],
  ]);
  expect(others.agents).toMatchObject([
    { name: 'word-0001', llmProvider: 'word-0002', llmModel: 'word-0003' },
  ]);
  expect(others.conversations).toMatchObject([{ channel: 'live_chat', status: 'open', priority: 'low' }]);
  expect(faults.map(({ fault }) => (fault.body as { code: string }).code)).toEqual([
    'CODE_0001',
    'CODE_0002',
    'NOT_FOUND',
  ]);
});

test('a value has one stand-in wherever it occurs', () => {
  const exchange = exchanges();
  const recording = new Recording({ keepPersonalData: false });
  const real = [
    leadOf(1, { displayName: 'Bea', phone: '+5511987651001', email: 'bea@people.example' }),
    leadOf(2, { displayName: 'Ana', phone: '+1 (200) 555-0101', email: null }),
    leadOf(3, { displayName: 'Ana', phone: '+12005550101', email: '' }),
    leadOf(4, { displayName: 'new', phone: 'unknown', email: 'Ana' }),
  ];
  recording.add(
    exchange(['GET', 'leads'], 200, { success: true, data: real, meta: { total: 4, limit: 25, offset: 0 } }),
  );
  const names = (recording.data([]).leads ?? []).map(({ displayName, phone, email, status }) => [
    displayName,
    phone,
    email,
    status,
  ]);
  expect(names).toEqual([
    ['Person 0001', '+12005550100', 'person-0001@example.com', 'new'],
    ['Person 0002', '+12005550101', null, 'new'],
    // The mock's phones are unique.
    ['Person 0002', null, '', 'new'],
    ['Person 0003', '+12005550102', 'person-0002@example.com', 'new'],
  ]);
});

test('a recording that is full records no more', () => {
  const exchange = exchanges();
  const recording = new Recording({ keepPersonalData: false, maxCharacters: 100 });
  const add = (at: number) =>
    recording.add(exchange(['GET', `leads/${idOf(at)}`], 200, { success: true, data: leadOf(at) }));
  add(1);
  add(2);
  expect([recording.isFull, recording.data([]).leads?.length]).toEqual([true, 1]);
});
