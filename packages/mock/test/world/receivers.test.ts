import { createClient } from '@confab/client';
import { listen, turns } from '@confab/internal/test-support';
import { standardWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import type { Endpoint } from '../../src/index.ts';
import { open, PHONE } from '../support/hosts.ts';
import { realTime } from '../support/real-time.ts';
import { delivered, keeper, secret } from '../support/receiver.ts';

test('a receiver can wait on the mock’s clock while it replies through a rate-limited client', async () => {
  const { mock } = open({ latency: 50, rateLimit: 1 });
  const confab = createClient(mock.clientOptions);
  mock.webhooks.add({
    ...{ url: 'https://receiver.test', secret, retries: [], timeout: 120_000 },
    fetch: async (request) => {
      const { data } = (await request.json()) as { data: { conversationId: string; body: string } };
      if (data.body === 'Hi') {
        await confab.conversations.get(data.conversationId);
        await confab.conversations.sendMessage(data.conversationId, { content: 'Welcome' });
      }
      return new Response(null, { status: 204 });
    },
  });
  const { conversation } = await mock.inbound({ phone: PHONE, body: 'Hi' });
  await mock.webhooks.flush();
  // flush() also waits for the deliveries that follow from others.
  const taken = { state: 'delivered', attempts: [{}] };
  expect(mock.webhooks.deliveries).toMatchObject([taken, taken]);
  const contents = mock.messages.find({ conversationId: conversation.id }).map(({ content }) => content);
  expect(contents).toEqual(['Welcome', 'Hi']);
});

test('a receiver that never responds times out in real time, and does not hold up the clock', async () => {
  const { mock } = open();
  const began = mock.clock.now();
  const signals: AbortSignal[] = [];
  const fetch = ({ signal }: Request) => {
    signals.push(signal);
    return new Promise<Response>(() => {});
  };
  mock.webhooks.add({ url: 'https://receiver.test', secret, retries: [1_000], timeout: 200, fetch });
  mock.webhooks.emit('test', {});
  await mock.clock.sleep(1_000);
  expect(mock.clock.now() - began).toBe(1_000);
  await mock.webhooks.flush();
  const attempt = { status: undefined, error: 'TimeoutError: No response within 200 ms' };
  const attempts = [began, began + 2_000].map((at) => ({ at, ...attempt }));
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'failed', attempts }]);
  expect(signals.map(({ reason }) => reason.name)).toEqual(['TimeoutError', 'TimeoutError']);
});

test('a receiver may take more than a second of real time, and any time on the mock’s clock', async () => {
  const { mock } = open();
  const url = await listen(async (_, outgoing) => {
    await realTime(1_100);
    outgoing.end();
  });
  const fetch = async () => {
    await mock.clock.sleep(60_000);
    await realTime(1_100);
    return new Response();
  };
  const once = { state: 'delivered', attempts: [{ status: 200 }] };
  const deliveries = await delivered(mock, { url }, { fetch }, { fetch, timeout: Infinity });
  expect(deliveries).toMatchObject([once, once, once]);
});

test('a receiver does not time out while the process is suspended, as at a breakpoint', async () => {
  const fetch = async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    await turns(3);
    return new Response();
  };
  const deliveries = await delivered(open().mock, { retries: [], timeout: 200, fetch });
  expect(deliveries).toMatchObject([{ state: 'delivered' }]);
});

test.each(['flush', 'advance'] as const)(
  'webhooks.flush() or clock.advance() waits for a slow receiver: %s',
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
    // A sleep elsewhere must not make time pass.
    const waiting = mock.clock.sleep(3_000);
    if (how === 'flush') {
      await mock.webhooks.flush();
    } else {
      await mock.clock.advance(1_000);
      await mock.clock.advance(2_000);
    }
    const times = mock.webhooks.deliveries.map(({ attempts }) => attempts.map(({ at }) => at - began));
    expect(times).toEqual(Array(2).fill([0, 1_000, 3_000]));
    await waiting;
  },
);

test.each([
  ['never settles', () => new Promise<void>(() => {})],
  ['throws', () => Promise.reject(new Error('nope'))],
])('a 200 is a success even if canceling its body %s', async (_, cancel) => {
  const fetch = () => new Response(new ReadableStream({ cancel }));
  expect(await delivered(open().mock, { fetch })).toMatchObject([{ state: 'delivered' }]);
});

const stalled = () => new ReadableStream();
const failing = () =>
  new ReadableStream({
    pull() {
      throw new Error('nope');
    },
  });

test.each<[body: string, create: () => BodyInit | null, refusal: string | undefined]>([
  ['a short body', () => '{"error":"MISSING_SIGNATURE"}', '{"error":"MISSING_SIGNATURE"}'],
  ['a long body', () => `${'x'.repeat(199)}€`, 'x'.repeat(199)],
  ['no body', () => null, undefined],
  ['a body that stalls', stalled, undefined],
  ['a body that fails', failing, undefined],
])('a refusal with %s counts, and its attempt keeps at most 200 bytes', async (_, create, refusal) => {
  const fetch = () => new Response(create(), { status: 401 });
  const endpoint = { fetch, timeout: 50, retries: [] };
  expect(await delivered(open().mock, endpoint)).toMatchObject([{ attempts: [{ status: 401, refusal }] }]);
});

test('a delivery is JSON, goes to every endpoint, and follows no redirect', async () => {
  const { seen, endpoint } = keeper();
  const urls = ['https://one.test/', 'https://two.test/'];
  await delivered(open().mock, ...urls.map((url) => ({ ...endpoint, url })));
  expect(seen.map(({ url }) => url)).toEqual(urls);
  expect(seen[0]).toMatchObject({ method: 'POST', redirect: 'manual' });
  expect(seen[0]?.headers.get('content-type')).toBe('application/json');
  expect(await seen[0]?.json()).toEqual({ event: 'test', data: {} });
});

test('the headers of an endpoint replace the content type of its deliveries, but not the signature', async () => {
  const { mock } = open();
  const { seen, endpoint } = keeper();
  const headers = {
    Authorization: 'Bearer hush',
    'Content-Type': 'text/json',
    'X-Webhook-Signature': 'forged',
  };
  await delivered(mock, { ...endpoint, headers });
  expect(Object.fromEntries(seen[0]?.headers ?? [])).toEqual({
    authorization: 'Bearer hush',
    'content-type': 'text/json',
    'x-webhook-signature': expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(JSON.stringify(mock.webhooks.endpoints)).not.toContain('hush');
});

test.each<[header: string, endpoint: Partial<Endpoint>]>([
  ['x-id', { idHeader: 'X-Id', headers: { 'x-id': 'forged' } }],
  // The scheme signs an id of its own.
  ['webhook-id', { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', signature: standardWebhooks() }],
])(
  'the header %s has the same id in each attempt, copy and redelivery of an event',
  async (header, values) => {
    const { mock } = open();
    const { seen, endpoint } = keeper(500, 200);
    mock.webhooks.deliveryFaults.once({ copies: 2 });
    const [first] = await delivered(mock, { ...endpoint, ...values });
    mock.webhooks.redeliver(first?.id ?? '');
    await delivered(mock);
    const [next, ...ids] = seen.map(({ headers }) => headers.get(header)).toReversed();
    expect(ids).toEqual(Array(4).fill(first?.messageId));
    expect(next).toMatch(/^msg_/);
    expect(next).not.toBe(first?.messageId);
  },
);

test('a delivery leaves no timer behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await delivered(open().mock, { fetch: () => new Response() });
  expect(timers()).toBeLessThanOrEqual(before);
});

/** Returns the error of the only attempt of a delivery. */
const failureAt = async (endpoint: Parameters<typeof delivered>[1]): Promise<string | undefined> => {
  const [delivery] = await delivered(open().mock, { retries: [], ...endpoint });
  return delivery?.attempts[0]?.error;
};

test('the error of an attempt says why the receiver could not be reached', async () => {
  const broken = await listen((incoming) => void incoming.socket.destroy());
  for (const [url, says] of [
    ['http://127.0.0.1:1/', /^TypeError: fetch failed: (?:.*ECONNREFUSED|fetch refuses this port)/],
    // One address or two, depending on the machine.
    ['http://localhost:9/', /ECONNREFUSED|fetch refuses this port/],
    ['http://127.0.0.1:6000/', /fetch refuses this port/],
    [broken, /fetch failed: .*(?:closed|ECONNRESET)/],
  ] as const) {
    expect(await failureAt({ url })).toMatch(says);
  }
});

const loop = new Error('one');
loop.cause = new Error('two', { cause: loop });

test.each([
  [new RangeError('Too far'), 'RangeError: Too far'],
  [undefined, 'undefined'],
  [{ code: 7, message: null }, 'no reason was given'],
  [new Error('x'.repeat(5_000)), `Error: ${'x'.repeat(493)}`],
  [loop, 'Error: one: two'],
  [new AggregateError([Error('first'), Error('second')], 'all'), 'AggregateError: all: first'],
])(
  'the error of an attempt quotes what the receiver threw, in at most 500 characters',
  async (value, says) => {
    const fetch = () => {
      throw value;
    };
    const thrown = await failureAt({ fetch });
    expect(thrown).toBe(says);
  },
);
