import fc from 'fast-check';
import { expect, test } from 'vitest';
import { startRecorder } from '../support/exchanges.ts';
import { replay } from '../support/forwarding.ts';
import { idOf, leadOf, PIPELINE, pageOf } from '../support/real-service.ts';

const DATE = '2026-01-01T00:00:00Z';
const message = {
  ...{ id: idOf(300), conversationId: idOf(50), senderType: 'lead', direction: 'inbound' },
  ...{ messageType: 'text', content: 'Hello', createdAt: DATE },
};
const conversation = {
  ...{ id: idOf(50), pipelineId: PIPELINE, leadId: idOf(1), channel: 'email', status: 'open' },
  ...{ priority: 'low', lastMessageAt: null, createdAt: DATE },
};
const agent = {
  ...{ id: idOf(70), name: 'A', description: null, llmProvider: 'p', llmModel: 'm', updatedAt: DATE },
};
const reply = { text: 'Hi', tokensIn: 1, tokensOut: 2, latencyMs: 3 };
const refusal = { success: false, error: 'Needs read:leads', code: 'SCOPE_REQUIRED' };

/** Requests with their usual response. */
const COMMON = [
  ['GET', 'leads', pageOf([leadOf(1)])],
  ['POST', 'leads', { success: true, data: leadOf(1) }],
  ['GET', 'agents', { success: true, data: [agent] }],
  ['GET', `conversations/${idOf(50)}`, { success: true, data: { ...conversation, messages: [message] } }],
  ['POST', `agents/${idOf(70)}/invoke`, { success: true, data: reply }],
  ['GET', 'analytics/funnel', { success: true, data: {} }],
  ['PATCH', `leads/${idOf(1)}`, refusal],
] as const;

/** Texts that may be personal or a key: a word, a word in the format of a code, a phrase, and a phone number. */
const secret = fc.oneof(
  fc.stringMatching(/^zq[g-z]{6,12}$/),
  fc.stringMatching(/^ZQ[G-Z]{5,9}_[G-Z]{3,8}$/),
  fc.stringMatching(/^zq[g-z]{4,9} zq[g-z]{4,9}@zq[g-z]{4}\.zq[g-z]{3}$/),
  fc.stringMatching(/^\+55119[1-9]{8}$/),
);

/** Returns copies of a JSON value, each with a change of one value in it, or of all of it. */
const withChange = (value: unknown, at: number, change: (old: unknown) => unknown): unknown => {
  let visited = 0;
  const visit = (place: number): unknown =>
    JSON.parse(JSON.stringify(value), (_, old) => {
      visited += 1;
      return visited === place ? change(old) : old;
    });
  visit(0);
  const place = 1 + (at % visited);
  visited = 0;
  return visit(place);
};

/** Ways to place a secret at some position of a body. */
const PLACED: readonly ((hidden: string, old: unknown) => unknown)[] = [
  (hidden) => hidden,
  (hidden, old) => `${hidden} ${JSON.stringify(old)}`,
  (hidden, old) => [hidden, old],
  (hidden, old) => ({ [hidden]: old }),
  (hidden, old) => ({ ...(old as object), [hidden]: hidden }),
  (hidden) => (/^\+\d+$/.test(hidden) ? Number(hidden) : hidden),
  (hidden) => (/^\+\d+$/.test(hidden) ? Number(`${hidden}.5`) : hidden),
];

test('a secret never occurs in a recording, wherever it is in a request or a response', () => {
  fc.assert(
    fc.property(
      ...[secret, fc.constantFrom(...COMMON), fc.nat(), fc.constantFrom(...PLACED)],
      ...[fc.constantFrom('$', '<title>$</title>', '$}'), fc.constantFrom(200, 201, 400, 403, 409, 500)],
      (hidden, [method, path, usual], at, place, page, status) => {
        const { recorder, record } = startRecorder();
        const body = withChange(usual, at, (old) => place(hidden, old));
        const digits = hidden.replace(/\D/g, '').slice(0, 9);
        const headers = {
          ...{ 'content-type': `text/${hidden}`, 'retry-after': digits, 'x-ratelimit-limit': digits },
          ...{ 'x-request-id': hidden, [hidden.replace(/\W/g, 'x')]: hidden },
        };
        const query = `?search=${encodeURIComponent(hidden)}&${encodeURIComponent(hidden)}=1`;
        const text = page.replace('$', () => JSON.stringify(body));
        record([method, `${path}${query}`], status, text, headers);
        record([method, `${path}/${encodeURIComponent(hidden)}`], status, body, headers);
        const data = recorder.data([]);
        const file = JSON.stringify(data).toLowerCase();
        const words = hidden.toLowerCase().match(/[a-z\d]{4,}/g) ?? [];
        for (const word of words) {
          expect(file).not.toContain(word.slice(0, 9));
        }
        // It can be loaded.
        replay(data);
      },
    ),
    { numRuns: 400 },
  );
});

test('a recording replaces bodies that are not JSON objects with a fixed page, and keeps only rate-limit headers', () => {
  const bodies = ['', '"Maria +5511987650001"', '5511987650001', '["Maria"]', 'null', '<h1>Maria</h1>'];
  const { recorder, record } = startRecorder();
  const sent = { 'content-type': 'text/maria', account: '4711', 'retry-after': '3' };
  for (const body of bodies) {
    record(['GET', 'leads'], 502, body, sent);
  }
  const recorded = recorder.data([]).faults.map(({ fault }) => [fault.body, fault.headers]);
  const headers = { 'content-type': 'text/html', 'retry-after': '3' };
  const page = ['<!doctype html><title>Recorded page</title>', headers];
  expect(recorded).toEqual([['', headers], page, page, page, page, page]);
});

test('a recording replaces a number that may be a phone number, where the contract allows it', () => {
  const { recorder, record } = startRecorder();
  const funnel = {
    ...{ newLeads: 1, activeLeads: 2, qualified: 5511987650001, converted: 3 },
    ...{ conversionRate: 5511987650001.5, range: { from: DATE, to: DATE } },
  };
  record(['GET', 'analytics/funnel'], 200, { success: true, data: funnel });
  const body = { success: true, data: { ...funnel, qualified: 0, conversionRate: 0 } };
  expect(recorder.data([]).faults[0]?.fault.body).toEqual(body);
});
