import { createWebhooks, signedRequest } from '@confab/webhooks';
import { expect, test } from 'vitest';

const secret = 'a secret of the test';
const signature = { header: 'x-sig' };
const event = { event: 'message.created', data: { conversationId: 'c1', channel: 'web', body: 'Hello' } };
const deliver = () => signedRequest('https://r.test/', event, { secret, signature });

test('the handlers of an event run concurrently, and all are awaited', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const steps: string[] = [];
  const { promise: second, resolve } = Promise.withResolvers<void>();
  webhooks.on('message.created', async () => {
    steps.push('first starts');
    await second;
    steps.push('first ends');
  });
  webhooks.on('message.created', () => {
    steps.push('second runs');
    resolve();
  });
  expect((await webhooks.fetch(await deliver())).status).toBe(200);
  expect(steps).toEqual(['first starts', 'second runs', 'first ends']);
});

test('a removed handler is not called again', async () => {
  const webhooks = createWebhooks({ secret, signature });
  let calls = 0;
  const off = webhooks.on('message.created', () => {
    calls += 1;
  });
  await webhooks.fetch(await deliver());
  off();
  off();
  await webhooks.fetch(await deliver());
  expect(calls).toBe(1);
});

test('the cause contains all failures of a delivery', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const failures = [new Error('one'), new Error('two')];
  for (const failure of failures) {
    webhooks.on('message.created', () => Promise.reject(failure));
  }
  const causes: unknown[] = [];
  webhooks.onError((error) => causes.push((error.cause as AggregateError).errors));
  await webhooks.fetch(await deliver());
  expect(causes).toEqual([failures]);
});

test('the context has the raw bytes and the signal of the request', async () => {
  const webhooks = createWebhooks({ secret, signature: { header: 'x-sig' } });
  const request = await deliver();
  const raw = await request.clone().bytes();
  const controller = new AbortController();
  const seen: unknown[] = [];
  webhooks.on('message.created', (_, { body, signal }) => {
    controller.abort(new Error('gone'));
    seen.push(body, signal.aborted, signal.reason);
  });
  await webhooks.fetch(new Request(request, { signal: controller.signal }));
  expect(seen).toEqual([raw, true, new Error('gone')]);
});

test('fetch works without its receiver, as an export or a route', async () => {
  const { fetch } = createWebhooks({ secret, signature });
  expect((await fetch(await deliver())).status).toBe(200);
});

test('a request with a used body is refused at once with a hint', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const messages: string[] = [];
  webhooks.onError((error) => messages.push(`${error.code} ${error.message}`));
  const request = await deliver();
  await request.json();
  const response = await webhooks.fetch(request);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ error: 'BODY_NOT_RAW' });
  expect(messages).toEqual([expect.stringMatching(/^BODY_NOT_RAW .*before anything reads its body/)]);
});

test('a used body is refused on runtimes that return null for it', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const used = { method: 'POST', headers: new Headers(), bodyUsed: true, body: null } as Request;
  expect(await (await webhooks.fetch(used)).json()).toEqual({ error: 'BODY_NOT_RAW' });
});

test('the signal of a request is read only when a handler reads it, because Deno prints a warning', async () => {
  const webhooks = createWebhooks({ secret, signature });
  let reads = 0;
  const watched = async () => {
    const request = await deliver();
    return Object.defineProperty(request, 'signal', {
      get: () => {
        reads += 1;
        return AbortSignal.abort();
      },
    });
  };
  await webhooks.fetch(await watched());
  expect(reads).toBe(0);
  webhooks.on('message.created', (_, context) => void context.signal);
  await webhooks.fetch(await watched());
  expect(reads).toBe(1);
});

test('a request whose body is being read is refused', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const request = await deliver();
  request.body?.getReader();
  expect((await webhooks.fetch(request)).status).toBe(500);
});

test('an incomplete body is refused with BODY_ABORTED and a 400, which raises no alarm', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const causes: unknown[] = [];
  webhooks.onError((error) => causes.push(error.code, error.cause));
  const broken = new Error('connection reset');
  const body = new ReadableStream({ pull: (controller) => controller.error(broken) });
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  const response = await webhooks.fetch(new Request('https://r.test/', init));
  expect([response.status, causes]).toEqual([400, ['BODY_ABORTED', broken]]);
});

test('reading stops at the chunk that exceeds the limit, and the stream is canceled', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  let pulled = 0;
  let canceled = false;
  const body = new ReadableStream(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(4));
      },
      cancel() {
        canceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  const response = await webhooks.fetch(new Request('https://r.test/', init));
  expect([response.status, pulled, canceled]).toEqual([413, 3, true]);
});

test('a Content-Length above the limit is refused before anything is read', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  let read = false;
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => {
      read = true;
      return { next: async () => ({ done: true, value: undefined }) };
    },
  };
  const headers = { 'content-length': '11' };
  expect(await webhooks.receive({ method: 'POST', headers, body })).toMatchObject({ status: 413 });
  expect(read).toBe(false);
});

test('a Content-Length of exactly the limit is read', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  const headers = { 'content-length': '10' };
  const body = new Uint8Array(10);
  expect(await webhooks.receive({ method: 'POST', headers, body })).toMatchObject({ status: 401 });
});

test('the limit applies to the real size when Content-Length is too small', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  const headers = { 'content-length': '1' };
  const response = await webhooks.receive({ method: 'POST', headers, body: new Uint8Array(11) });
  expect(response.status).toBe(413);
});
