import { createWebhooks, sign } from '@confab/webhooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const secret = 'a secret of the test';
const signature = { header: 'x-sig' };

async function* streamOf(chunks: readonly unknown[]): AsyncGenerator<unknown> {
  yield* chunks;
}

/** Resolves to the bytes that a handler receives, or to the code of the error. */
const read = async (
  body: unknown,
  signed: Uint8Array | string,
  { maxBodyBytes, ...headers }: { maxBodyBytes?: number | undefined; 'content-length'?: string } = {},
): Promise<Uint8Array | string | undefined> => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes });
  let outcome: Uint8Array | string | undefined;
  webhooks.onAny((_, context) => {
    outcome = context.body;
  });
  webhooks.onError(({ code }) => {
    outcome = code;
  });
  const all = { ...headers, ...(await sign(signed, { secret, signature })) };
  await webhooks.receive({ method: 'POST', headers: all, body });
  return outcome;
};

test('a body in any chunks is read whole at a limit of its size, and refused at one byte less', async () => {
  const pieces = fc.array(fc.string({ unit: 'binary', maxLength: 1_000 }), { maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(pieces, fc.nat(40_000), fc.nat(3_000), async (texts, announced, size) => {
      const whole = Buffer.from(JSON.stringify({ event: 'x', data: { texts } }));
      const chunks: Uint8Array[] = [];
      for (let at = 0; at < whole.length; at += size + 1) {
        chunks.push(whole.subarray(at, at + size + 1));
      }
      const rules = { 'content-length': String(Math.min(announced, whole.length)) };
      const bytes = await read(streamOf(chunks), whole, { ...rules, maxBodyBytes: whole.length });
      expect(Buffer.from(bytes ?? '')).toEqual(whole);
      // There is no spare room after the body, where a handler could read foreign bytes.
      expect((bytes as Uint8Array).buffer.byteLength).toBe(whole.length);
      const smaller = { maxBodyBytes: whole.length - 1 };
      expect(await read(streamOf(chunks), whole, smaller)).toBe('BODY_TOO_LARGE');
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

test('a stream that is already being read is BODY_NOT_RAW, and one that fails is BODY_ABORTED', async () => {
  const locked = new ReadableStream();
  locked.getReader();
  expect(await read(locked, '')).toBe('BODY_NOT_RAW');
  async function* broken() {
    yield new Uint8Array(1);
    throw new Error('connection reset');
  }
  expect(await read(broken(), '')).toBe('BODY_ABORTED');
});

test('a request without a body has an empty one', async () => {
  expect(await read(null, '')).toBe('INVALID_JSON');
});

test('a parsed chunk is refused, and reading stops there', async () => {
  let ended = false;
  async function* objects() {
    try {
      yield { event: 'x' };
    } finally {
      ended = true;
    }
  }
  expect(await read(objects(), '')).toBe('BODY_NOT_RAW');
  expect(ended).toBe(true);
});
