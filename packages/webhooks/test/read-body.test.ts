import { createWebhooks, sign } from '@confab/webhooks';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createReceiver, secret, signature } from './support/receiver.ts';

async function* streamOf(chunks: readonly unknown[]): AsyncGenerator<unknown> {
  yield* chunks;
}

/** Resolves to the bytes that a handler receives, or to the code of the error. */
const read = async (
  body: unknown,
  signed: Uint8Array | string,
  { maxBodyBytes, ...headers }: { maxBodyBytes?: number | undefined; 'content-length'?: string } = {},
): Promise<Uint8Array | string | undefined> => {
  const { webhooks, errors } = createReceiver({ maxBodyBytes });
  let bytes: Uint8Array | undefined;
  webhooks.onAny((_, context) => {
    bytes = context.body;
  });
  const all = { ...headers, ...(await sign(signed, { secret, signature })) };
  await webhooks.receive({ method: 'POST', headers: all, body });
  return bytes ?? errors[0]?.code;
};

test('a body of maxBodyBytes is read, and a body with one byte more is refused, in chunks of any size', async () => {
  const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 1_000 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(40_000), fc.nat(3_000), async (texts, announced, size) => {
      const sent = Buffer.from(JSON.stringify({ event: 'x', data: { texts } }));
      const chunks: Uint8Array[] = [];
      for (let offset = 0; offset < sent.length; offset += size + 1) {
        chunks.push(sent.subarray(offset, offset + size + 1));
      }
      const rules = { 'content-length': String(Math.min(announced, sent.length)) };
      const bytes = await read(streamOf(chunks), sent, { ...rules, maxBodyBytes: sent.length });
      expect(Buffer.from(bytes ?? '')).toEqual(sent);
      // There is no spare room after the body, where a handler could read unrelated bytes.
      expect((bytes as Uint8Array).buffer.byteLength).toBe(sent.length);
      const smaller = { maxBodyBytes: sent.length - 1 };
      expect(await read(streamOf(chunks), sent, smaller)).toBe('BODY_TOO_LARGE');
    }),
  );
});

test('later changes to a chunk do not change the body', async () => {
  const text = '{"event":"x","data":{}}';
  const reused = new Uint8Array(1);
  async function* stream() {
    for (const byte of Buffer.from(text)) {
      reused[0] = byte;
      yield reused;
    }
    reused.fill(9);
  }
  expect(Buffer.from((await read(stream(), text)) ?? '').toString()).toBe(text);
});

test('a large Content-Length allocates no memory before the bytes arrive', async () => {
  const finish = Promise.withResolvers<void>();
  async function* stalled() {
    yield new Uint8Array(1);
    await finish.promise;
  }
  const rules = { maxBodyBytes: 10_000_000, 'content-length': '10000000' };
  const before = process.memoryUsage().arrayBuffers;
  const readings = Array.from({ length: 100 }, () => read(stalled(), '', rules));
  await new Promise(setImmediate);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  finish.resolve();
  await Promise.all(readings);
});

test('a stream that fails is refused with BODY_ABORTED, and the error contains the cause', async () => {
  const cause = new Error('connection reset');
  async function* broken() {
    yield new Uint8Array(1);
    throw cause;
  }
  const { webhooks, errors } = createReceiver();
  const { status } = await webhooks.receive({ method: 'POST', headers: {}, body: broken() });
  expect([status, errors]).toMatchObject([400, [{ code: 'BODY_ABORTED', cause }]]);
});

const locked = new ReadableStream();
locked.getReader();

test.each<[title: string, code: string, body: unknown, limit?: number, contentLength?: string]>([
  ['a stream that is being read', 'BODY_NOT_RAW', locked],
  ['no body', 'INVALID_JSON', null],
  ['a body as large as the limit', 'INVALID_JSON', new Uint8Array(10), 10, '10'],
  ['a body larger than the limit and its Content-Length', 'BODY_TOO_LARGE', new Uint8Array(11), 10, '1'],
])('a delivery with %s is refused with %s', async (_, code, body, maxBodyBytes, contentLength) => {
  const signed = body instanceof Uint8Array ? body : '';
  const rules = { maxBodyBytes, ...(contentLength && { 'content-length': contentLength }) };
  expect(await read(body, signed, rules)).toBe(code);
});

test('a parsed chunk is refused, and reading stops there', async () => {
  const ended = vi.fn();
  async function* objects() {
    try {
      yield { event: 'x' };
    } finally {
      ended();
    }
  }
  expect(await read(objects(), '')).toBe('BODY_NOT_RAW');
  expect(ended).toHaveBeenCalled();
});

const requestOf = (source: UnderlyingDefaultSource) => {
  const body = new ReadableStream(source, { highWaterMark: 0 });
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  return new Request('https://r.test/', init);
};

test('reading stops at the chunk that exceeds the limit, and the stream is canceled', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  const pull = vi.fn((controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(4)));
  const cancel = vi.fn();
  const response = await webhooks.fetch(requestOf({ pull, cancel }));
  expect([response.status, pull.mock.calls.length, cancel.mock.calls.length]).toEqual([413, 3, 1]);
});

test('a Content-Length above the limit is refused before anything is read', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  const next = vi.fn(async () => ({ done: true as const, value: undefined }));
  const body = { [Symbol.asyncIterator]: () => ({ next }) };
  const headers = { 'content-length': '11' };
  expect(await webhooks.receive({ method: 'POST', headers, body })).toMatchObject({ status: 413 });
  expect(next).not.toHaveBeenCalled();
});
