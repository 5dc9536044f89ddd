import { createClient } from '@confab/client';
import { eventually, listen, turns } from '@confab/internal/test-support';
import { createWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { open } from '../support/hosts.ts';
import { realTime } from '../support/real-time.ts';
import { secret, signature } from '../support/receiver.ts';
import { toNodeListener } from '../support/to-node-listener.ts';

const PHONE = '+5511987654321';

test('deliveries reach a real receiver over HTTP', async () => {
  const { mock } = open();
  const webhooks = createWebhooks({ secret, signature });
  const bodies: string[] = [];
  webhooks.on('message.created', ({ data }) => {
    bodies.push(data.body);
  });
  const url = await listen(toNodeListener(webhooks.fetch));
  mock.webhooks.add({ url: `${url}/`, secret, retries: [] });
  mock.webhooks.add({ url: 'http://127.0.0.1:1/', secret, retries: [] });
  await mock.inbound({ phone: PHONE, body: 'Over the wire' });
  await mock.webhooks.flush();
  expect(bodies).toEqual(['Over the wire']);
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['delivered', 'failed']);
  expect(mock.webhooks.deliveries[1]?.attempts[0]).toMatchObject({
    status: undefined,
    error: expect.any(String),
  });
});

test('a receiver can wait on the mock’s clock: it replies through a client with a rate limit', async () => {
  const { mock } = open({ latency: 50, rateLimit: 1 });
  const confab = createClient(mock.clientOptions);
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret,
    retries: [],
    timeout: 120_000,
    fetch: async (request) => {
      const { data } = (await request.json()) as { data: { conversationId: string; body: string } };
      if (data.body === 'Hi') {
        await confab.conversations.get(data.conversationId);
        await confab.conversations.sendMessage(data.conversationId, { content: 'Welcome' });
      } else {
        await mock.clock.sleep(30_000);
      }
      return new Response(null, { status: 204 });
    },
  });
  const { conversation } = await mock.inbound({ phone: PHONE, body: 'Hi' });
  await mock.webhooks.flush();
  // flush() waits for what deliveries bring about, too.
  expect(mock.webhooks.deliveries.map(({ state, attempts }) => [state, attempts.length])).toEqual([
    ['delivered', 1],
    ['delivered', 1],
  ]);
  const contents = mock.messages.find({ conversationId: conversation.id }).map(({ content }) => content);
  expect(contents).toEqual(['Welcome', 'Hi']);
});

test('a receiver that never responds is given up after 10 s of the clock, and delays nothing else', async () => {
  const { mock } = open();
  const began = mock.clock.now();
  let aborted: unknown;
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret,
    retries: [1_000],
    fetch: (request) => {
      request.signal.addEventListener('abort', () => {
        aborted = request.signal.reason;
      });
      return new Promise(() => {});
    },
  });
  await mock.inbound({ phone: PHONE, body: 'Hi' });
  await mock.clock.sleep(1_000);
  expect(mock.clock.now() - began).toBe(1_000);
  await mock.clock.advance(9_000);
  await eventually(() => expect(mock.webhooks.deliveries[0]?.attempts).toHaveLength(1));
  expect(aborted).toMatchObject({ name: 'TimeoutError' });
  await mock.clock.advance(1_000);
  // Its second attempt is silent for longer than flush() would need, but nobody waits for it.
  await realTime(1_200);
  expect(mock.clock.now() - began).toBe(11_000);
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]).toMatchObject({
    state: 'failed',
    attempts: [
      { at: began, status: undefined, error: 'TimeoutError: No response within 10000 ms' },
      { at: began + 11_000, status: undefined, error: 'TimeoutError: No response within 10000 ms' },
    ],
  });
  expect(mock.clock.now() - began).toBe(21_000);
});

test('flush() gives a receiver that works for a while the real time that it takes', async () => {
  const { mock } = open();
  const fetch = async () => {
    await realTime(200);
    return new Response(null, { status: 204 });
  };
  mock.webhooks.add({ url: 'https://receiver.test', secret, retries: [], fetch });
  mock.webhooks.emit('test', {});
  const began = mock.clock.now();
  await mock.webhooks.flush();
  expect([mock.webhooks.deliveries[0]?.state, mock.clock.now() - began]).toEqual(['delivered', 0]);
});

test.each(['flush', 'advance'] as const)(
  'a receiver over HTTP that takes a moment is waited for, so that attempts keep to the schedule: %s()',
  async (how) => {
    const { mock } = open();
    const began = mock.clock.now();
    const url = await listen(async (incoming, outgoing) => {
      if (incoming.url === '/slow') {
        await turns(30);
      }
      outgoing.writeHead(503).end();
    });
    for (const path of ['slow', 'quick']) {
      mock.webhooks.add({ url: `${url}/${path}`, secret, retries: [1_000, 2_000] });
    }
    mock.webhooks.emit('test', {});
    // Somebody else who waits is no reason to hurry.
    const waiting = mock.clock.sleep(3_000);
    if (how === 'flush') {
      await mock.webhooks.flush();
    } else {
      for (const ms of [1_000, 2_000]) {
        await mock.clock.advance(ms);
      }
    }
    expect(mock.webhooks.deliveries.map(({ attempts }) => attempts.map(({ at }) => at - began))).toEqual([
      [0, 1_000, 3_000],
      [0, 1_000, 3_000],
    ]);
    await waiting;
  },
);

test('how long a receiver may take is up to its endpoint', async () => {
  const { mock } = open();
  const fetch = async () => {
    await mock.clock.sleep(60_000);
    return new Response(null, { status: 204 });
  };
  for (const timeout of [59_999, 60_001, Number.POSITIVE_INFINITY]) {
    mock.webhooks.add({ url: 'https://receiver.test', secret, retries: [], timeout, fetch });
  }
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['failed', 'delivered', 'delivered']);
});

test.each([
  ['never settles', () => new Promise<void>(() => {})],
  ['throws', () => Promise.reject(new Error('nope'))],
])('an answer whose body %s when it is thrown away was given', async (_, cancel) => {
  const { mock } = open();
  const fetch = () => new Response(new ReadableStream({ cancel }), { status: 200 });
  mock.webhooks.add({ url: 'https://receiver.test', secret, fetch });
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]).toMatchObject({ state: 'delivered', attempts: [{ status: 200 }] });
});

test.each([301, 302, 400, 404, 410, 500])(
  'a receiver that responds with %i has not accepted the delivery',
  async (status) => {
    const { mock } = open();
    const fetch = () => new Response(null, { status, headers: { location: 'https://elsewhere.test' } });
    mock.webhooks.add({ url: 'https://receiver.test', secret, retries: [1_000], fetch });
    mock.webhooks.emit('test', {});
    await mock.webhooks.flush();
    expect(mock.webhooks.deliveries[0]).toMatchObject({
      state: 'failed',
      attempts: [{ status }, { status }],
    });
  },
);

test('a delivery is JSON, goes to every endpoint, and follows no redirect to another host', async () => {
  const { mock } = open();
  const seen: Request[] = [];
  const fetch = (request: Request) => {
    seen.push(request);
    return new Response(null, { status: 204 });
  };
  for (const host of ['one', 'two']) {
    mock.webhooks.add({ url: `https://${host}.test/`, secret, fetch });
  }
  mock.webhooks.deliveryFaults.once({ copies: 2 });
  mock.webhooks.emit('test', { n: 1 });
  await mock.webhooks.flush();
  expect(seen.map(({ url, method, redirect }) => [url, method, redirect])).toEqual(
    ['https://one.test/', 'https://one.test/', 'https://two.test/', 'https://two.test/'].map((url) => [
      url,
      'POST',
      'manual',
    ]),
  );
  expect(seen[0]!.headers.get('content-type')).toBe('application/json');
  expect(await seen[0]!.json()).toEqual({ event: 'test', data: { n: 1 } });
});

test('the waits of others do not run a receiver that takes its time into their timeouts', async () => {
  const { mock } = open();
  const began = mock.clock.now();
  let answer = (_: Response) => {};
  const fetch = () =>
    new Promise<Response>((resolve) => {
      answer = resolve;
    });
  mock.webhooks.add({ url: 'https://receiver.test', secret, timeout: Number.POSITIVE_INFINITY, fetch });
  mock.webhooks.emit('test', {});
  await turns(5);
  let fired = false;
  const controller = new AbortController();
  mock.clock.sleep(30_000, controller.signal, 'timeout').then(
    () => {
      fired = true;
    },
    () => {},
  );
  const waiting = mock.clock.sleep(60_000);
  await realTime(300);
  expect([fired, mock.clock.now() - began]).toEqual([false, 0]);
  answer(new Response(null, { status: 204 }));
  controller.abort();
  await waiting;
});

test('a delivery that was taken leaves no timer behind', async () => {
  const { mock } = open();
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  mock.webhooks.add({
    url: 'https://receiver.test',
    secret,
    fetch: () => new Response(null, { status: 204 }),
  });
  const before = timers();
  for (let nth = 0; nth < 10; nth += 1) {
    mock.webhooks.emit('test', {});
  }
  await mock.webhooks.flush();
  expect(timers()).toBeLessThanOrEqual(before);
});

test('a receiver that returns a thenable which never settles still times out', async () => {
  const { mock } = open();
  // biome-ignore lint/suspicious/noThenProperty: the test is about a thenable.
  const fetch = () => ({ then: () => {} }) as unknown as Promise<Response>;
  mock.webhooks.add({ url: 'https://receiver.test', secret, retries: [], fetch });
  mock.webhooks.emit('test', {});
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries[0]?.attempts[0]?.error).toContain('TimeoutError');
});
