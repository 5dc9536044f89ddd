import { eventually } from '@confab/internal/test-support';
import type { HeadersLike } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { expect, test, vi } from 'vitest';
import { createReceiver, data, message, requestWith, secret, signature } from './support/receiver.ts';

test('the handlers of an event run concurrently, and the response waits for all of them', async () => {
  const { webhooks, deliver } = createReceiver();
  const steps: string[] = [];
  const second = Promise.withResolvers<void>();
  webhooks.on('message.created', async () => {
    steps.push('first starts');
    await second.promise;
    steps.push('first ends');
  });
  webhooks.on('message.created', () => {
    steps.push('second runs');
    second.resolve();
  });
  expect(await deliver()).toBe(200);
  expect(steps).toEqual(['first starts', 'second runs', 'first ends']);
});

test('handlers of on(), onUnknown() and onAny() get their events until they are removed', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  const removers = [
    webhooks.onAny(({ event, known }) => seen.push([event, known])),
    webhooks.on('message.created', () => seen.push('on')),
    webhooks.onUnknown(({ event }) => seen.push(`unknown ${event}`)),
  ];
  const deliverBoth = async () => {
    expect((await webhooks.fetch(await requestWith())).status).toBe(200);
    const unknown = await requestWith({ event: 'lead.scored', data: {} });
    expect((await webhooks.fetch(unknown)).status).toBe(200);
  };
  await deliverBoth();
  expect(seen).toEqual(['on', ['message.created', true], 'unknown lead.scored', ['lead.scored', false]]);
  for (const remove of [...removers, ...removers]) {
    remove();
  }
  await deliverBoth();
  expect(seen).toHaveLength(4);
});

test('a function that was added as a handler twice runs twice, and can be removed once or twice', async () => {
  const { webhooks, deliver } = createReceiver();
  const handle = vi.fn();
  const runs = async () => {
    handle.mockClear();
    await deliver();
    return handle.mock.calls.length;
  };
  for (const add of [() => webhooks.onAny(handle), () => webhooks.on('message.created', handle)]) {
    const [removeFirst, removeSecond] = [add(), add()];
    expect(await runs()).toBe(2);
    removeFirst();
    removeFirst();
    expect(await runs()).toBe(1);
    removeSecond();
    const removeThird = add();
    removeSecond();
    expect(await runs()).toBe(1);
    removeThird();
  }
});

test('handlers that reject cause a 500, and the other handlers still run', async () => {
  const { webhooks, handled, errors } = createReceiver();
  const failures = [new Error('one'), new Error('two')];
  for (const failure of failures) {
    webhooks.on('message.created', () => Promise.reject(failure));
  }
  const response = await webhooks.fetch(await requestWith());
  expect([response.status, await response.json()]).toEqual([500, { error: 'HANDLER_FAILED' }]);
  expect([handled.length, errors]).toMatchObject([1, [{ cause: { errors: failures } }]]);
  expect(errors[0]?.message).toMatch(/^2 of 3 handlers for "message\.created" failed; see the cause/);
});

test.each<[title: string, consume: (request: Request) => unknown]>([
  ['has been read', (request) => request.json()],
  ['is being read', (request) => request.body?.getReader()],
  // Some runtimes return null for a used body.
  [
    'has been read and is null',
    (request) => Object.defineProperties(request, { bodyUsed: { value: true }, body: { value: null } }),
  ],
])('a request whose body %s is refused with a hint', async (_, consume) => {
  const { webhooks, errors } = createReceiver();
  const request = await requestWith();
  await consume(request);
  const response = await webhooks.fetch(request);
  expect([response.status, await response.json()]).toEqual([500, { error: 'BODY_NOT_RAW' }]);
  expect(errors[0]?.message).toMatch(/before anything reads its body/);
});

test('the signal of a request is read only when a handler reads it, because Deno prints a warning', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const read = vi.fn(() => AbortSignal.abort());
  const watched = async () => Object.defineProperty(await requestWith(), 'signal', { get: read });
  await webhooks.fetch(await watched());
  expect(read).toHaveBeenCalledTimes(0);
  webhooks.on('message.created', (_, context) => void context.signal);
  await webhooks.fetch(await watched());
  expect(read).toHaveBeenCalledTimes(1);
});

test('without an onError handler, a failure with a 500 is printed once, with the error of the handler', async () => {
  using printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const webhooks = createWebhooks({ secret, signature });
  const failure = new Error('database down');
  webhooks.on('message.created', () => Promise.reject(failure));
  expect((await webhooks.fetch(await requestWith())).status).toBe(500);
  expect((await webhooks.receive({ method: 'POST', headers: {}, body: {} })).status).toBe(500);
  await eventually(() => expect(printed).toHaveBeenCalledTimes(2));
  expect(printed.mock.calls).toEqual([
    [
      '@confab/webhooks: HANDLER_FAILED: The handler for "message.created" failed; see the cause. The sender or the queue should retry.',
      failure,
    ],
    [
      expect.stringMatching(
        /^@confab\/webhooks: BODY_NOT_RAW: The signed bytes are lost, because the body is/,
      ),
    ],
  ]);
});

test('nothing is printed for a refused delivery, or if there is an onError handler', async () => {
  using printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const silent = createWebhooks({ secret, signature });
  expect((await silent.fetch(await requestWith(message, { secret: 'guess' }))).status).toBe(401);
  const { webhooks, deliver, errors } = createReceiver();
  webhooks.onAny(() => Promise.reject(new Error('database down')));
  expect(await deliver()).toBe(500);
  await eventually(() => expect(errors).toHaveLength(1));
  expect(printed).not.toHaveBeenCalled();
});

test.each<[title: string, headers: unknown, kept: string[][]]>([
  ['undefined', undefined, []],
  ['a text', 'x-sig: 1', []],
  ['a number as a name', [[5, 'v']], []],
  ['null instead of a pair', new Set([null]), []],
  ['a name without a value', ['x-first'], []],
  ['a name that HTTP forbids', { 'x y': 'v' }, []],
  ['texts among other values', { x: ['a', 5, 'b', null] }, [['x', 'a, b']]],
])('onError receives only headers with valid names and string values: %s', async (_, headers, kept) => {
  const { webhooks } = createReceiver();
  const seen = Promise.withResolvers<string[][]>();
  webhooks.onError((_error, context) => seen.resolve([...context.headers]));
  await webhooks.receive({ method: 'POST', headers: headers as HeadersLike, body: data.body });
  expect(await seen.promise).toEqual(kept);
});
