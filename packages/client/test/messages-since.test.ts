import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import type { ClientOptions, Conversation, Message, MessagesPass, NewMessages } from '../src/index.ts';
import { ConfigurationError, InvalidRequestError, InvalidResponseError, ServerError } from '../src/index.ts';
import type { Arrival } from './support/arrivals.ts';
import { clientAt } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import * as data from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createGate } from './support/gate.ts';
import { rowOf } from './support/list.ts';
import type { Responder } from './support/server.ts';
import { failure, json, startServer, success } from './support/server.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DATE = { date: new Date(NOON).toUTCString() };
const at = (time: number): string => new Date(time).toISOString();

/** The n-th conversation, with messages that were written at these times. */
const conversationOf = (
  number: number,
  times: readonly number[] = [],
  changes: Partial<Conversation> = {},
) => {
  const { id } = rowOf(number);
  const messages = times.map((time, index): Message => {
    const message = { ...data.message, senderType: 'lead', direction: 'inbound' } as const;
    return { ...message, id: rowOf(number * 1_000 + index).id, conversationId: id, createdAt: at(time) };
  });
  const latest = times.length === 0 ? null : at(Math.max(...times));
  const row: Conversation = { ...(data.conversation as Conversation), id, lastMessageAt: latest, ...changes };
  return { row, messages };
};

const offsetOf = ({ query }: Arrival): number => Number(query.get('offset') ?? 0);

type Stored = ReturnType<typeof conversationOf>;

/** Responds as a service with these conversations, in this order. */
const serviceOf =
  (stored: () => readonly Stored[], headers: Record<string, string> = DATE): Responder =>
  (arrival, ...rest) => {
    const { path, query } = arrival;
    const [offset, limit] = [offsetOf(arrival), Number(query.get('limit') ?? 25)];
    const meta = { total: stored().length, limit, offset };
    if (path.endsWith('/conversations')) {
      const rows = stored().map(({ row }) => row);
      const page = { success: true, data: rows.slice(offset, offset + limit), meta };
      return json(200, page, headers)(arrival, ...rest);
    }
    const found = stored().find(({ row }) => path.endsWith(row.id));
    const data = found && { ...found.row, messages: found.messages.slice(0, 100) };
    const responder = data ? json(200, { success: true, data }, headers) : failure(404, 'GONE');
    return responder(arrival, ...rest);
  };

const open = async (responder: Responder, options: ClientOptions = {}) => {
  const server = await startServer(responder);
  const confab = clientAt(server.url, { clock: createTestClock(NOON + 7 * 60 * MINUTE), ...options });
  const lists = () => server.arrivals.filter(({ path }) => path.endsWith('/conversations'));
  const reads = () => server.arrivals.length - lists().length;
  return { confab, lists, reads, arrivals: server.arrivals, since: confab.conversations.messagesSince };
};

const readAll = (pass: MessagesPass): Promise<NewMessages[]> => Array.fromAsync(pass);

test('messagesSince() yields each conversation with its messages since a time, oldest first', async () => {
  const [first, second] = [conversationOf(1, [NOON + 5, NOON, NOON - 1]), conversationOf(2, [NOON - 1])];
  const { since, reads } = await open(serviceOf(() => [second, first, conversationOf(3)]));
  const [found, ...others] = await readAll(since(NOON));
  expect(others).toEqual([]);
  expect(found?.conversation).toEqual(first.row);
  expect(found?.messages.map(({ createdAt }) => createdAt)).toEqual([at(NOON), at(NOON + 5)]);
  expect(found?.isComplete).toBe(true);
  // The second one only because times may be cut to seconds.
  expect(reads()).toBe(2);
});

test.for([new Date(NOON), at(NOON), NOON, '2026-06-01T14:00:00+02:00'])(
  'messagesSince() accepts the time %j, and has a checkpoint after the pass',
  async (since) => {
    const { confab } = await open(serviceOf(() => [conversationOf(1, [NOON])]));
    const pass = confab.conversations.messagesSince(since);
    expect(pass.checkpoint).toBeUndefined();
    expect(await readAll(pass)).toHaveLength(1);
    expect(pass.checkpoint).toBe(at(NOON));
  },
);

const LATER = new Date(NOON + 60 * MINUTE).toUTCString();
test.for([
  ['two minutes before the pass, by the clock of the service', NOON, LATER, NOON + 58 * MINUTE],
  [
    'an hour before the pass, by the clock of the client, without a readable Date',
    NOON,
    'x',
    NOON + 360 * MINUTE,
  ],
  ['the time that it reads from, if that is later', NOON + 59 * MINUTE, LATER, NOON + 59 * MINUTE],
] as const)('the checkpoint of messagesSince() is %s', async ([_, from, date, expected]) => {
  const { since } = await open(serviceOf(() => [], { date }));
  const pass = since(from);
  await readAll(pass);
  expect(pass.checkpoint).toBe(at(expected));
});

test('messagesSince() filters by status and pipeline, and requests the maximum number of messages', async () => {
  const { since, lists, arrivals } = await open(serviceOf(() => [conversationOf(1, [NOON])]));
  await readAll(since(NOON, { status: 'open', pipelineId: data.ids.pipeline }));
  expect(Object.fromEntries(lists()[0]?.query ?? [])).toEqual({
    status: 'open',
    pipelineId: data.ids.pipeline,
    limit: '100',
  });
  expect(arrivals.at(-1)?.query.get('messagesLimit')).toBe('100');
});

test('messagesSince() reads a conversation whose lastMessageAt has no milliseconds or is not a date-time', async () => {
  const cut = conversationOf(1, [NOON + 700], { lastMessageAt: at(NOON) });
  const odd = conversationOf(2, [NOON + 800], { lastMessageAt: 'today' });
  const { since } = await open(serviceOf(() => [cut, odd]));
  expect(await readAll(since(NOON + 500))).toHaveLength(2);
});

test('messagesSince() marks a conversation as incomplete if the API returns 100 messages and may have more', async () => {
  const timesFrom = (time: number, count = 100) => Array.from({ length: count }, (_, index) => time + index);
  const stored = [
    conversationOf(1, timesFrom(NOON)),
    conversationOf(2, timesFrom(NOON - 1)),
    conversationOf(3, timesFrom(NOON, 99)),
    // The service returns the earliest 100: some new ones, and none.
    conversationOf(4, [...timesFrom(NOON - 50), NOON + MINUTE]),
    conversationOf(5, [...timesFrom(NOON - MINUTE), NOON + MINUTE]),
  ];
  const { since } = await open(serviceOf(() => stored));
  const found = await readAll(since(NOON));
  const counts = found.map(({ messages, isComplete }) => [messages.length, isComplete]);
  expect(counts).toEqual([
    [100, false],
    [99, true],
    [99, true],
    [50, false],
    [0, false],
  ]);
});

test('messagesSince() leaves out a conversation that is deleted before it is read', async () => {
  const [gone, stays] = [conversationOf(1, [NOON]), conversationOf(2, [NOON])];
  let stored = [gone, stays];
  const service = serviceOf(() => stored);
  const { since } = await open(async (...request) => {
    await service(...request);
    stored = [stays];
  });
  const pass = since(NOON, { concurrency: 1 });
  expect((await readAll(pass)).map(({ conversation }) => conversation.id)).toEqual([stays.row.id]);
  expect(pass.checkpoint).toBeDefined();
});

const manyOf = (count: number, times: readonly number[] = []): Stored[] =>
  Array.from({ length: count }, (_, index) => conversationOf(index + 1, times));

test('messagesSince() finds a conversation that moves to a part already read, and rereads only that part', async () => {
  let stored = manyOf(350, [NOON]);
  const service = serviceOf(() => stored);
  const { since, lists } = await open(async (arrival, ...rest) => {
    await service(arrival, ...rest);
    if (arrival.path.endsWith('/conversations') && offsetOf(arrival) === 0) {
      const last = stored.at(-1) as Stored;
      stored = [conversationOf(350, [NOON, NOON + MINUTE]), ...stored.filter((each) => each !== last)];
    }
  });
  const pass = since(NOON, { concurrency: 1 });
  const found = await readAll(pass);
  expect(new Set(found.map(({ conversation }) => conversation.id)).size).toBe(350);
  expect(found).toHaveLength(350);
  expect(pass.checkpoint).toBe(at(NOON));
  expect(lists().map(offsetOf)).toEqual([0, 99, 198, 297, 0]);
});

test('messagesSince() finds a missed conversation even if another begins to match the filter', async () => {
  const [opened, moved] = [conversationOf(901, [NOON]), conversationOf(902, [NOON])];
  let stored = [...manyOf(250, [NOON]), moved];
  const service = serviceOf(() => stored);
  const { since } = await open(async (arrival, ...rest) => {
    await service(arrival, ...rest);
    if (arrival.path.endsWith('/conversations') && stored.length === 251 && stored.at(-1) === moved) {
      stored = [moved, ...manyOf(250, [NOON]), opened];
    }
  });
  const found = await readAll(since(NOON, { status: 'open', concurrency: 1 }));
  expect(found.map(({ conversation }) => conversation.id)).toContain(moved.row.id);
});

test('messagesSince() keeps the checkpoint if five readings of the list never agree on the number of rows', async () => {
  const stored = manyOf(3, [NOON]);
  const service = serviceOf(() => stored);
  const rows = stored.map(({ row }) => row);
  for (const total of [undefined, 2]) {
    const { since, lists } = await open((arrival, response, request) => {
      const offset = offsetOf(arrival);
      const body = { success: true, data: rows.slice(offset), meta: { limit: 100, offset, total } };
      const responder = arrival.path.endsWith('/conversations') ? json(200, body, DATE) : service;
      return responder(arrival, response, request);
    });
    const pass = since(NOON - 60 * MINUTE);
    expect(await readAll(pass)).toHaveLength(3);
    expect(pass.checkpoint).toBe(at(NOON - 60 * MINUTE));
    expect(lists().filter((each) => offsetOf(each) === 0)).toHaveLength(5);
  }
});

test('messagesSince() has no checkpoint after a break, an abort or a failure', async () => {
  const { since } = await open(serviceOf(() => manyOf(3, [NOON])));
  const left = since(NOON);
  for await (const _ of left) {
    break;
  }
  const aborted = since(NOON, { signal: AbortSignal.abort(new Error('enough')) });
  await expect(readAll(aborted)).rejects.toThrow('enough');
  const failed = (await open(failure(403, 'SCOPE_REQUIRED'))).since(NOON);
  await expect(readAll(failed)).rejects.toMatchObject({ status: 403, operation: 'conversations.list' });
  expect([left, aborted, failed].map(({ checkpoint }) => checkpoint)).toEqual(Array(3).fill(undefined));
});

/** Fails to read these conversations with a status. */
const failing =
  (service: Responder, ids: readonly string[], status: number): Responder =>
  (arrival, ...rest) =>
    (ids.some((id) => arrival.path.endsWith(id)) ? failure(status, 'BROKEN') : service)(arrival, ...rest);

test('messagesSince() skips a conversation that cannot be read, and throws an error with its id at the end', async () => {
  const stored = manyOf(60, [NOON]);
  const [broken = ''] = stored.slice(1).map(({ row }) => row.id);
  const service = serviceOf(() => stored);
  const { since } = await open(failing(service, [broken], 500), { retry: false });
  const pass = since(NOON);
  const found: NewMessages[] = [];
  const reading = (async () => {
    for await (const each of pass) {
      found.push(each);
    }
  })();
  const error = await errorOf(reading, ServerError);
  expect(error.message).toBe(`conversations.get of ${broken} failed with 500 BROKEN: It did not work`);
  expect(found).toHaveLength(59);
  expect(pass.checkpoint).toBeUndefined();
  // Without new messages, it is not read again.
  const next = since(NOON + MINUTE);
  expect(await readAll(next)).toEqual([]);
  expect(next.checkpoint).toBe(at(NOON + MINUTE));
});

test.each([
  [401, 1],
  [429, 1],
  [500, 20],
])(
  'messagesSince() ends when no conversation can be read: with a %i, after %i of them',
  async (status, most) => {
    const stored = manyOf(60, [NOON]);
    const ids = stored.map(({ row }) => row.id);
    const service = failing(
      serviceOf(() => stored),
      ids,
      status,
    );
    const { since, reads } = await open(service, { retry: false });
    await expect(readAll(since(NOON, { concurrency: 1 }))).rejects.toMatchObject({ status });
    expect(reads()).toBe(most);
  },
);

test('the error of messagesSince() shows neither the line breaks nor the key of an id', async () => {
  const { row } = conversationOf(1, [NOON]);
  const rows = [{ ...row, id: `${data.KEY}\r\nforged` }];
  const { since } = await open(
    json(200, { success: true, data: rows, meta: { total: 1, limit: 100, offset: 0 } }),
  );
  const { message } = await errorOf(readAll(since(NOON)), InvalidRequestError);
  expect(message).toMatch(/^conversations\.get of \[redacted\] +forged was not sent/);
  expect(message).not.toContain(data.KEY);
});

test('messagesSince() sends nothing before it is iterated over, which is allowed only once', async () => {
  const { since, arrivals } = await open(serviceOf(() => []));
  const pass = since(NOON);
  expect(arrivals).toHaveLength(0);
  await readAll(pass);
  expect(await errorOf(readAll(pass), ConfigurationError)).toMatchObject({
    message: 'A pass can be iterated over once. Call conversations.messagesSince again.',
  });
});

test('messagesSince() reads at most `concurrency` conversations at once, and none while the loop is busy', async () => {
  const stored = manyOf(30, [NOON]);
  const service = serviceOf(() => stored);
  let atOnce = 0;
  let most = 0;
  const { since, reads } = await open(async (...request) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise(setImmediate);
    atOnce -= 1;
    await service(...request);
  });
  const { opened, open: go } = createGate();
  const loop = async () => {
    for await (const _ of since(NOON, { concurrency: 3 })) {
      await opened;
    }
  };
  const looping = loop();
  await eventually(() => expect(reads()).toBe(3));
  await new Promise(setImmediate);
  expect(reads()).toBe(3);
  go();
  await looping;
  expect(most).toBe(3);
  expect(reads()).toBe(30);
});

test.each([
  ['for the whole Retry-After', 1, { 'retry-after': '3600' }],
  ['through more 429s without Retry-After than `retry.limit`', 9, {}],
])('messagesSince() waits %s, although a call would not', async (_, refusals, headers) => {
  const service = serviceOf(() => manyOf(1, [NOON]));
  let left = refusals;
  const { since, lists } = await open((...request) => {
    left -= 1;
    return (left < 0 ? service : failure(429, 'RATE_LIMIT_EXCEEDED', 'Later', headers))(...request);
  });
  expect(await readAll(since(NOON))).toHaveLength(1);
  expect(lists()).toHaveLength(refusals + 1);
});

test.each([undefined, null, {}, [null], [{}]])(
  'messagesSince() rejects a response with the messages %j, and the error names the operation',
  async (messages) => {
    const service = serviceOf(() => manyOf(1, [NOON]));
    const { since } = await open((arrival, ...rest) =>
      (arrival.path.endsWith('/conversations') ? service : success({ ...conversationOf(1).row, messages }))(
        arrival,
        ...rest,
      ),
    );
    const error = await errorOf(readAll(since(NOON)), InvalidResponseError);
    expect(error).toMatchObject({ operation: 'conversations.get', status: 200 });
  },
);

test.for([
  [undefined, 'undefined'],
  [new Date(Number.NaN), 'an invalid Date'],
  ['yesterday', '"yesterday"'],
  ['2026-06-01', '"2026-06-01"'],
  ['2026-06-01T12:00:00', '"2026-06-01T12:00:00"'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
  [9e15, '9000000000000000'],
  [null, 'null'],
  [1, '1: is it in seconds?'],
  [NOON / 1_000, '1780315200: is it in seconds?'],
  [1e11 - 1, '99999999999: is it in seconds?'],
] as const)('messagesSince() refuses the time %s', async ([since, shown]) => {
  const { confab } = await open(serviceOf(() => []));
  expect(() => confab.conversations.messagesSince(since as never)).toThrow(
    `\`since\` of conversations.messagesSince must be a Date, a date-time such as "2026-01-31T12:00:00Z", or milliseconds since 1970, got ${shown}`,
  );
});

test.for([0, -1, 1e11, new Date(1)])('messagesSince() accepts the early time %s', async (early) => {
  const { since } = await open(serviceOf(() => [conversationOf(1, [NOON])]));
  expect(await readAll(since(early))).toHaveLength(1);
});

test('messagesSince() refuses unknown and invalid options, and suggests the right name', async () => {
  const { since, arrivals } = await open(serviceOf(() => []));
  expect(() => since(NOON, { concurency: 2 } as object)).toThrow('Did you mean `concurrency`?');
  expect(() => since(NOON, { concurrency: 0 })).toThrow('`concurrency` must be');
  await expect(readAll(since(NOON, { status: 'closed' as 'open' }))).rejects.toThrow('status');
  expect(arrivals).toHaveLength(0);
});

test('messagesSince() does not show the API key if it is passed as the time', async () => {
  const { since } = await open(serviceOf(() => []));
  expect(() => since(data.KEY)).toThrow('got "[redacted]"');
});

test('a direct call goes before the conversations that messagesSince() has yet to read', async () => {
  const service = serviceOf(() => manyOf(20, [NOON]));
  const { confab, since, arrivals } = await open(
    (arrival, ...rest) =>
      arrival.path.endsWith('/agents') ? success([])(arrival, ...rest) : service(arrival, ...rest),
    { concurrency: 1 },
  );
  let direct: Promise<unknown> | undefined;
  let before = 0;
  for await (const _ of since(NOON, { concurrency: 10 })) {
    before ||= arrivals.length;
    direct ??= confab.agents.list();
  }
  await direct;
  expect(arrivals.findIndex(({ path }) => path.endsWith('/agents')) - before).toBeLessThan(3);
});
