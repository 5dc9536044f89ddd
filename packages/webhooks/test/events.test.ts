import type { SentPayload, StandardSchema } from '@confab/webhooks';
import { MessageCreatedSchema } from '@confab/webhooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createReceiver, data, message } from './support/receiver.ts';

/** Delivers a payload, and returns the event or the error. */
const outcomeOf = async (payload: unknown, events?: Record<string, StandardSchema>) => {
  const { deliver, handled, errors } = createReceiver({ events });
  const status = await deliver(payload);
  expect(handled.length + errors.length).toBe(1);
  return { status, event: handled[0], error: errors[0] };
};

const refused = (code: string, text = '') => ({
  status: 400,
  error: expect.objectContaining({ code, message: expect.stringContaining(text) }),
});

const noData = '`data` must be an object, got ';
const noName = '`event` or `type` must be a string, got ';

test.each<[payload: unknown, code: string, text?: string]>([
  ['{', 'INVALID_JSON', 'its body (1 characters) is not JSON.'],
  ['[]', 'INVALID_EVENT', 'the payload must be an object, got an array.'],
  [{ event: 'message.created' }, 'INVALID_EVENT', `${noData}undefined.`],
  [{ event: 'status.changed', data: [] }, 'INVALID_EVENT', `${noData}an array.`],
  [{ data }, 'INVALID_EVENT', `${noName}undefined.`],
  [{ type: 7, data }, 'INVALID_EVENT', `${noName}a number.`],
  [{ event: null, type: 'message.created', data }, 'INVALID_EVENT', `${noName}null.`],
])('a genuine body of %j is refused with %s', async (payload, code, text) => {
  expect(await outcomeOf(payload)).toMatchObject(refused(code, text));
});

test.each<[field: string, payload: SentPayload]>([
  ['type', { type: 'message.created', timestamp: '2026-01-31T12:00:00Z', data }],
  ['event', { event: 'message.created', type: 'other', data } as SentPayload],
])(
  'the name of an event is `event`, or without that `type`, as in Standard Webhooks: %s',
  async (_, payload) => {
    expect(await outcomeOf(payload)).toMatchObject({ status: 200, event: { ...message, known: true } });
  },
);

test('the data of message.created must have conversationId, channel and body, and keeps other fields', async () => {
  const more = { ...data, locale: 'en' };
  expect(await outcomeOf({ ...message, data: more })).toMatchObject({
    event: { event: 'message.created', data: more, known: true },
  });
  for (const field of ['conversationId', 'channel', 'body']) {
    const { error } = await outcomeOf({ ...message, data: { ...data, [field]: 5 } });
    expect(error?.message).toContain(`data.${field}: must be a string (a number)`);
  }
});

test('an error about data contains types and names, never values', async () => {
  const { error } = await outcomeOf({ ...message, data: { ...data, body: 'private', channel: 5_550_100 } });
  expect(String(error)).not.toMatch(/private|5550100/);
});

test('the schema of message.created returns issues for arbitrary values', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(MessageCreatedSchema['~standard'].validate(value)).toHaveProperty('issues');
    }),
  );
  expect(MessageCreatedSchema['~standard'].validate(data)).toEqual({ value: data });
});

test.each(['__proto__', 'constructor', 'toString', '', 'message.created ', 'Message.Created'])(
  'an event named %j is an unknown event',
  async (event) => {
    const body = `{"event":${JSON.stringify(event)},"data":{"__proto__":{"polluted":true}},"__proto__":{"event":"y"}}`;
    expect(await outcomeOf(body)).toMatchObject({ status: 200, event: { event, known: false } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  },
);

test("the user's schema validates the data of an event, and handlers get its output", async () => {
  const schema = z.object({
    status: z.enum(['open', 'resolved']),
    count: z.pipe(z.string(), z.transform(Number)),
  });
  const events = { 'status.changed': schema };
  const changed = (status: string) => ({ event: 'status.changed', data: { status, count: '2' } });
  expect(await outcomeOf(changed('open'), events)).toMatchObject({
    event: { event: 'status.changed', data: { status: 'open', count: 2 }, known: true },
  });
  expect(await outcomeOf(changed('closed'), events)).toMatchObject(refused('INVALID_EVENT', 'data.status'));
  expect(await outcomeOf(message, events)).toMatchObject({ event: { known: true } });
});

const schemaOf = (validate: StandardSchema['~standard']['validate']): StandardSchema => ({
  '~standard': { version: 1, vendor: 'test', validate },
});

test("the user's schema for message.created takes precedence, and may be asynchronous", async () => {
  const schema = schemaOf(async () => ({ value: { seen: true } }));
  const events = { 'message.created': schema };
  expect(await outcomeOf({ event: 'message.created', data: {} }, events)).toMatchObject({
    event: { data: { seen: true } },
  });
});

test('the path of an issue in an error may contain keys, indexes and segments', async () => {
  const schema = schemaOf(() => ({
    issues: [{ message: 'must be short', path: ['tags', 1, { key: 'name' }] }, { message: 'is odd' }],
  }));
  expect(
    await outcomeOf({ event: 'tagged', data: { tags: [1, { name: 'long' }] } }, { tagged: schema }),
  ).toMatchObject(
    refused('INVALID_EVENT', 'data.tags[1].name: must be short (a string); data: is odd (an object)'),
  );
});

test('an error contains at most five issues, in one short line without control characters', async () => {
  const read: number[] = [];
  const issues = Array.from({ length: 10_000 }, (_, index) => ({
    get message() {
      read.push(index);
      return 'wrong\n2026 FATAL \u001b[31mforged';
    },
    path: ['field\r\n'.repeat(100)],
  }));
  const { error } = await outcomeOf({ event: 'x', data: {} }, { x: schemaOf(() => ({ issues })) });
  expect(read).toEqual([0, 1, 2, 3, 4]);
  expect(error?.message.length).toBeLessThanOrEqual(1_000);
  expect(error?.message).not.toMatch(/\p{Cc}/u);
  expect(error?.message).toContain('its "x" data does not match the schema: data.field');
});
