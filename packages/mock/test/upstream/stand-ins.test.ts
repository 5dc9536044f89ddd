import { expect, test } from 'vitest';
import { startRecorder } from '../support/exchanges.ts';
import { idOf, leadOf, pageOf } from '../support/real-service.ts';

test('a recording keeps the values of enum fields only if the contract lists them', () => {
  const { recorder, record } = startRecorder();
  const rows = [
    leadOf(1, { source: 'website', status: 'qualified' }),
    leadOf(2, { source: 'Zuleica', status: 'snoozd' }),
    leadOf(3, { source: 'Zuleica', status: 'urgent' }),
  ];
  record(['GET', 'leads'], 200, pageOf(rows));
  const refused = { success: false, error: 'Missing', code: 'Zuleica' };
  for (const [at, code] of ['Zuleica', 'NO_LEAD', 'NOT_FOUND'].entries()) {
    record(['GET', `leads/${idOf(4 + at)}`], 404, { ...refused, code });
  }
  const { leads = [], faults } = recorder.data([]);
  const words = leads.map(({ source, status }) => `${source} ${status}`);
  expect(words.toSorted()).toEqual(['website qualified', 'word-0001 word-0002', 'word-0001 word-0003']);
  // A word that is a key is not kept.
  const [, , last] = recorder.data(['qualified']).leads ?? [];
  expect(last?.status).toMatch(/^word-/);
  const codes = faults.map(({ fault }) => (fault.body as { code: string }).code);
  expect(codes).toEqual(['word-0001', 'word-0004', 'NOT_FOUND']);
});

test('a value of a recording has one stand-in wherever it occurs', () => {
  const { recorder, record } = startRecorder();
  const real = [
    leadOf(1, { displayName: 'Bea', phone: '+5511987651001', email: 'bea@people.example' }),
    leadOf(2, { displayName: 'Ana', phone: '+1 (200) 555-0101', email: null }),
    leadOf(3, { displayName: 'Ana', phone: '+12005550101', email: '' }),
    leadOf(4, { displayName: 'website', phone: 'unknown', email: 'Ana' }),
  ];
  record(['GET', 'leads'], 200, pageOf(real));
  const phone = '+12005550101';
  expect(recorder.data([]).leads?.toReversed()).toMatchObject([
    { displayName: 'Person 0001', phone: '+12005550100', email: 'person-0001@example.com', status: 'new' },
    { displayName: 'Person 0002', phone, email: null },
    // A mock refuses duplicate phone numbers.
    { displayName: 'Person 0002', phone: null, email: '' },
    { displayName: 'Person 0003', phone: '+12005550102', email: 'person-0002@example.com', status: 'new' },
  ]);
});

test('a full recording records nothing more', () => {
  const { recorder, record } = startRecorder({ maxCharacters: 100 });
  for (const at of [1, 2]) {
    record(['GET', `leads/${idOf(at)}`], 200, { success: true, data: leadOf(at) });
  }
  expect([recorder.isFull, recorder.data([]).leads?.length]).toEqual([true, 1]);
});
