import { unescaped } from '@confab/internal';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Recording } from '../../../src/cli/forward/recording.ts';
import { normalizePhone } from '../../../src/world/store/phone.ts';
import { exchanges } from '../../support/exchanges.ts';
import { replaying } from '../../support/forwarding.ts';
import { idOf, leadOf, PIPELINE } from '../../support/real-service.ts';

/** Long enough that it does not occur by chance, and perhaps with what JSON and URLs escape. */
const word = fc
  .tuple(
    fc.stringMatching(/^[G-Z][g-z]{4,9}$/),
    fc.constantFrom('', 'ã', '"', '\\', '/', '&', ' Öz', '\n', '+'),
  )
  .map(([name, odd]) => `${name}${odd}qx`);

const person = fc.record({
  name: word,
  email: word.map((name) => `${name}@people.example`),
  phone: fc.integer({ min: 11_900_000_000, max: 11_999_999_999 }).map((digits) => `+55${digits}`),
  text: fc.tuple(word, word).map(([a, b]) => `Dear ${a}, ${b}`),
  notes: word,
});

/** Ways in which a service repeats a value where it does not belong. */
const echo = fc.constantFrom<(value: string) => string>(
  (value) => value,
  (value) => `by ${value} today`,
  (value) => value.toUpperCase(),
  encodeURIComponent,
  (value) => JSON.stringify(value),
  (value) => JSON.stringify(JSON.stringify(value)),
  (value) => value.replace(/[^a-z\d]/gi, (character) => `&#${character.charCodeAt(0)};`),
  (value) =>
    value.replace(/./g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
);

const key = fc.stringMatching(/^confab_live_[\w-]{12,30}$/);

test('no personal value and no key occurs in a recording, in any form', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(person, { minLength: 1, maxLength: 4, selector: ({ phone }) => phone }),
      key,
      echo,
      fc.boolean(),
      (people, secret, repeat, isDrifted) => {
        const exchange = exchanges();
        const recording = new Recording({ keepPersonalData: false });
        const secrets = [secret, ...people.flatMap((each) => Object.values(each))];
        const somewhere = secrets.map(repeat);
        const leads = people.map(({ name, email, phone }, at) =>
          leadOf(at, { displayName: name, email, phone, source: somewhere[at % somewhere.length] }),
        );
        const echoes = somewhere.map((text, at) => ({
          ...{ id: idOf(200 + at), name: text, description: text, llmProvider: text, llmModel: text },
          updatedAt: isDrifted && at === 0 ? text : '2026-01-01T00:00:00Z',
          [text]: text,
        }));
        const message = (at: number, content: string) => ({
          ...{
            id: idOf(300 + at),
            conversationId: idOf(50),
            senderType: repeat(content),
            direction: 'inbound',
          },
          ...{ messageType: 'text', content, createdAt: '2026-01-01T00:00:00Z' },
        });
        const conversation = {
          ...{ id: idOf(50), pipelineId: PIPELINE, leadId: idOf(0), channel: somewhere[0], status: 'open' },
          ...{ priority: 'low', lastMessageAt: null, createdAt: '2026-01-01T00:00:00Z' },
        };
        const error = { success: false, error: somewhere.join(' '), code: somewhere[1] };
        const texts = people.map(({ text }) => text);
        for (const each of [
          exchange(['GET', 'agents'], 200, { success: true, data: echoes }),
          exchange(['GET', 'leads'], 200, {
            success: true,
            data: leads,
            meta: { total: isDrifted ? people[0]?.phone : 1, limit: 25, offset: 0 },
          }),
          exchange(['GET', `conversations/${idOf(50)}`], 200, {
            success: true,
            data: { ...conversation, messages: texts.map((text, at) => message(at, text)) },
          }),
          exchange(
            ['POST', 'leads', people[0] && { phone: people[0].phone, notes: people[0].notes }],
            409,
            error,
          ),
          exchange(
            ['PATCH', `leads/${idOf(1)}`, { notes: people.map(({ notes }) => notes).join() }],
            500,
            somewhere.join('<br>'),
          ),
          exchange(['POST', `agents/${idOf(70)}/invoke`, { userMessage: texts[0] }], 200, {
            success: true,
            data: { text: somewhere.join(' '), tokensIn: 1, tokensOut: 2, latencyMs: 3, trace: somewhere },
          }),
        ]) {
          recording.add(each);
        }
        const data = recording.data([secret]);
        const file = JSON.stringify(data, null, 2);
        const readable = [file, unescaped(file), file.toLowerCase(), unescaped(file).toLowerCase()];
        for (const value of [...secrets, ...secrets.map((each) => each.toLowerCase())]) {
          for (const text of readable) {
            expect(text).not.toContain(value);
            expect(text).not.toContain(JSON.stringify(value).slice(1, -1));
            expect(text).not.toContain(btoa(encodeURIComponent(value)).replace(/=+$/, ''));
          }
        }
        for (const { phone } of people) {
          expect(file.replace(/\D/g, '')).not.toContain(phone.slice(1));
        }
        // It can still be loaded, different people still differ, and phones are phones.
        const { mock } = replaying(data);
        expect(mock.leads.count()).toBe(leads.length);
        for (const { phone } of mock.leads.find()) {
          expect(normalizePhone(phone ?? '')).toBe(phone);
        }
        expect(new Set(mock.leads.find().map((lead) => lead.phone)).size).toBe(leads.length);
      },
    ),
    { numRuns: 60 },
  );
});

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
