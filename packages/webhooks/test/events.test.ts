import type { SentPayload, StandardSchema } from '@confab/webhooks';
import { createWebhooks, MessageCreatedSchema, sign, signedRequest } from '@confab/webhooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';

const secret = 'a secret of the test';
const signature = { header: 'x-sig' };
const data = { conversationId: 'c1', channel: 'web', body: 'Hello' };

const unwrap = async (
  payload: unknown,
  webhooks: ReturnType<typeof createWebhooks> = createWebhooks({ secret, signature }),
) => {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return webhooks.unwrap(body, await sign(body, { secret, signature }));
};

test('webhook payload: event is a string and data an object', async () => {
  for (const payload of [
    'null',
    '5',
    '"text"',
    '[]',
    '{}',
    '{"event":5,"data":{}}',
    '{"event":null,"data":{}}',
  ]) {
    await expect(unwrap(payload)).rejects.toMatchObject({ code: 'INVALID_EVENT', status: 400 });
  }
  for (const bad of [undefined, null, 'text', 5, []]) {
    await expect(unwrap({ event: 'status.changed', data: bad })).rejects.toMatchObject({
      code: 'INVALID_EVENT',
    });
    await expect(unwrap({ event: 'message.created', data: bad })).rejects.toMatchObject({
      code: 'INVALID_EVENT',
    });
  }
});

test.each(['', '{', '{"event":"x"', 'undefined', "{'event':'x'}", '{"event":"x","data":{},}'])(
  'a genuine body that is not JSON is refused: %s',
  async (body) => {
    await expect(unwrap(body)).rejects.toMatchObject({ code: 'INVALID_JSON', status: 400 });
  },
);

test('message.created data: conversationId, channel and body are required strings', async () => {
  expect(await unwrap({ event: 'message.created', data })).toEqual({
    event: 'message.created',
    data,
    known: true,
  });
  for (const field of ['conversationId', 'channel', 'body'] as const) {
    for (const [value, kind] of [
      [undefined, 'undefined'],
      [null, 'null'],
      [5, 'a number'],
      [[], 'an array'],
    ] as const) {
      await expect(unwrap({ event: 'message.created', data: { ...data, [field]: value } })).rejects.toThrow(
        `data.${field}: must be a string (${kind})`,
      );
    }
  }
});

test('an error about data contains types and names, never values', async () => {
  const attempt = unwrap({
    event: 'message.created',
    data: { ...data, body: 'private', channel: 5_550_100 },
  });
  const error = await attempt.catch((thrown: Error) => thrown);
  expect(String(error)).not.toMatch(/private|5550100/);
});

test('the schema of message.created returns issues for arbitrary values', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      const result = MessageCreatedSchema['~standard'].validate(value);
      expect(result).toHaveProperty('issues');
    }),
  );
  expect(MessageCreatedSchema['~standard'].validate(data)).toEqual({ value: data });
});

test.each([
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  'message.created ',
  'Message.Created',
])('an event called %j is just an unknown event', async (event) => {
  const body = `{"event":${JSON.stringify(event)},"data":{}}`;
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  webhooks.onUnknown((unknown) => seen.push(unknown.event));
  const headers = await sign(body, { secret, signature });
  const response = await webhooks.fetch(new Request('https://r.test', { method: 'POST', body, headers }));
  expect([response.status, seen]).toEqual([200, [event]]);
});

test('a __proto__ in a payload changes no prototype', async () => {
  const body = '{"event":"x","data":{"__proto__":{"polluted":true}},"__proto__":{"event":"y"}}';
  const event = await unwrap(body);
  expect(event.event).toBe('x');
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('events of the user are validated by their schemas, and data is the output of the schema', async () => {
  const schema = z.object({
    status: z.enum(['open', 'resolved']),
    count: z.pipe(z.string(), z.transform(Number)),
  });
  const webhooks = createWebhooks({ secret, signature, events: { 'status.changed': schema } });
  const deliver = async (payload: unknown) => {
    const body = JSON.stringify(payload);
    return webhooks.unwrap(body, await sign(body, { secret, signature }));
  };
  expect(await deliver({ event: 'status.changed', data: { status: 'open', count: '2' } })).toEqual({
    event: 'status.changed',
    data: { status: 'open', count: 2 },
    known: true,
  });
  await expect(
    deliver({ event: 'status.changed', data: { status: 'closed', count: '2' } }),
  ).rejects.toMatchObject({
    code: 'INVALID_EVENT',
    message: expect.stringContaining('data.status'),
  });
  expect(await deliver({ event: 'message.created', data })).toMatchObject({ known: true });
});

test('a schema of the user for message.created takes precedence and may be asynchronous', async () => {
  const schema: StandardSchema<unknown, { seen: true }> = {
    '~standard': { version: 1, vendor: 'test', validate: async () => ({ value: { seen: true } }) },
  };
  const webhooks = createWebhooks({ secret, signature, events: { 'message.created': schema } });
  const body = '{"event":"message.created","data":{}}';
  const event = await webhooks.unwrap(body, await sign(body, { secret, signature }));
  expect(event.data).toEqual({ seen: true });
});

test('paths of issues may contain keys, indexes and segments', async () => {
  const schema: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: () => ({
        issues: [{ message: 'must be short', path: ['tags', 1, { key: 'name' }] }, { message: 'is odd' }],
      }),
    },
  };
  const webhooks = createWebhooks({ secret, signature, events: { tagged: schema } });
  const body = '{"event":"tagged","data":{"tags":[1,{"name":"long"}]}}';
  await expect(webhooks.unwrap(body, await sign(body, { secret, signature }))).rejects.toThrow(
    'data.tags[1].name: must be short (a string); data: is odd (an object)',
  );
});

test('an invalid event gets a 400, is reported to onError and reaches no handler', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  webhooks.on('message.created', (event) => seen.push(event));
  webhooks.onUnknown((event) => seen.push(event));
  webhooks.onError((error, { headers }) => seen.push(error.code, headers.get('x-id')));
  const body = '{"event":"message.created","data":{"conversationId":"c1"}}';
  const headers = { ...(await sign(body, { secret, signature })), 'x-id': '7' };
  const response = await webhooks.fetch(new Request('https://r.test', { method: 'POST', body, headers }));
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: 'INVALID_EVENT' });
  expect(seen).toEqual(['INVALID_EVENT', '7']);
});

test('a schema that throws causes a 500', async () => {
  const bug = new Error('bug');
  const schema: StandardSchema = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: () => {
        throw bug;
      },
    },
  };
  const webhooks = createWebhooks({ secret, signature, events: { x: schema } });
  const errors: unknown[] = [];
  webhooks.onError((error) => errors.push(error.code, error.cause));
  const body = '{"event":"x","data":{}}';
  const headers = await sign(body, { secret, signature });
  const response = await webhooks.fetch(new Request('https://r.test', { method: 'POST', body, headers }));
  expect([response.status, errors]).toEqual([500, ['HANDLER_FAILED', bug]]);
});

test('an error holds five issues of a schema in one short line, whatever a stranger has made of them', async () => {
  const read: number[] = [];
  const issues = Array.from({ length: 10_000 }, (_, at) => ({
    get message() {
      read.push(at);
      return 'wrong\n2026 FATAL \u001b[31mforged';
    },
    path: ['field\r\n'.repeat(100)],
  }));
  const schema: StandardSchema = {
    '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) },
  };
  const webhooks = createWebhooks({ secret, signature, events: { x: schema } });
  const body = '{"event":"x","data":{}}';
  const error: unknown = await webhooks
    .unwrap(body, await sign(body, { secret, signature }))
    .catch((thrown: unknown) => thrown);
  expect(read).toEqual([0, 1, 2, 3, 4]);
  const { message } = error as Error;
  expect(message.length).toBeLessThanOrEqual(1_000);
  expect(message).not.toMatch(/\p{Cc}/u);
  expect(message).toContain('its "x" data does not match the schema: data.field');
});

test('the name of an event is `event`, or `type` as in Standard Webhooks', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  webhooks.on('message.created', (event) => seen.push(event));
  const deliver = async (payload: SentPayload) =>
    (await webhooks.fetch(await signedRequest('https://r.test/', payload, { secret, signature }))).status;
  expect(await deliver({ type: 'message.created', timestamp: '2026-01-31T12:00:00Z', data })).toBe(200);
  expect(await deliver({ event: 'message.created', type: 'other', data } as SentPayload)).toBe(200);
  const wanted = { event: 'message.created', data, known: true };
  expect(seen).toEqual([wanted, wanted]);
});

test.each([
  [{ data }, 'undefined'],
  [{ type: 7, data }, 'a number'],
  [{ event: null, type: 'message.created', data }, 'null'],
])('an event without a name is refused, and the error names both fields: %j', async (payload, given) => {
  await expect(unwrap(payload)).rejects.toMatchObject({
    code: 'INVALID_EVENT',
    status: 400,
    message: `The delivery is genuine, but \`event\` or \`type\` must be the name of the event, a string, got ${given}.`,
  });
});
