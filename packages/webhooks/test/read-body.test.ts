import { createWebhooks, sign } from '@confab/webhooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBody } from '../src/bytes/read-body.ts';

async function* streamOf(chunks: readonly unknown[]): AsyncGenerator<unknown> {
  yield* chunks;
}

const outcomeOf = (reading: Promise<Uint8Array>): Promise<number[] | string> =>
  reading.then(
    (bytes) => [...bytes],
    (error: { code: string }) => error.code,
  );

const pieces = fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 20 });

test('a body in any chunks is read whole at a limit of its size, and refused at one byte less', async () => {
  await fc.assert(
    fc.asyncProperty(
      pieces,
      fc.option(fc.nat(40_000), { nil: undefined }),
      async (chunks, announcedBytes) => {
        const whole = chunks.flatMap((chunk) => [...chunk]);
        const rules = { maxBodyBytes: whole.length, announcedBytes };
        const bytes = await readBody(streamOf(chunks), rules);
        expect([...bytes]).toEqual(whole);
        // There is no spare room after the body, where a handler could read foreign bytes.
        expect(bytes.buffer.byteLength).toBe(whole.length);
        if (whole.length > 0) {
          const smaller = { maxBodyBytes: whole.length - 1, announcedBytes };
          expect(await outcomeOf(readBody(streamOf(chunks), smaller))).toBe('BODY_TOO_LARGE');
        }
      },
    ),
  );
});

test('the receiver accepts a stream of maxBodyBytes and refuses one byte more', async () => {
  const secret = 'a secret of the test';
  const signature = { header: 'x-sig' };
  const text = '{"event":"x","data":{}}';
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: text.length });
  const statusOf = async (body: string) => {
    const headers = await sign(body, { secret, signature });
    const chunks = Array.from(body, (character) => Buffer.from(character));
    return (await webhooks.receive({ method: 'POST', headers, body: streamOf(chunks) })).status;
  };
  expect(await statusOf(text)).toBe(200);
  expect(await statusOf(`${text} `)).toBe(413);
});

test('later changes to a chunk do not change the body', async () => {
  const reused = new Uint8Array(2);
  async function* stream() {
    for (const value of [1, 2]) {
      reused.fill(value);
      yield reused;
    }
    reused.fill(9);
  }
  expect(await outcomeOf(readBody(stream(), { maxBodyBytes: 10 }))).toEqual([1, 1, 2, 2]);
});

test('a large Content-Length allocates no memory before the bytes arrive', async () => {
  const finish = Promise.withResolvers<void>();
  async function* stalled() {
    yield new Uint8Array(1);
    await finish.promise;
  }
  const rules = { maxBodyBytes: 10_000_000, announcedBytes: 10_000_000 };
  const before = process.memoryUsage().arrayBuffers;
  const readings = Array.from({ length: 100 }, () => readBody(stalled(), rules));
  await new Promise(setImmediate);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  finish.resolve();
  await Promise.all(readings);
});

test('a stream that is already being read is BODY_NOT_RAW, and one that fails is BODY_ABORTED', async () => {
  const locked = new ReadableStream();
  locked.getReader();
  await expect(readBody(locked, { maxBodyBytes: 10 })).rejects.toMatchObject({
    code: 'BODY_NOT_RAW',
    cause: expect.objectContaining({ message: expect.stringContaining('locked') }),
  });
  async function* broken() {
    yield new Uint8Array(1);
    throw new Error('connection reset');
  }
  expect(await outcomeOf(readBody(broken(), { maxBodyBytes: 10 }))).toBe('BODY_ABORTED');
});

test('a request without a body has an empty one', async () => {
  expect(await outcomeOf(readBody(null, { maxBodyBytes: 10 }))).toEqual([]);
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
  expect(await outcomeOf(readBody(objects(), { maxBodyBytes: 10 }))).toBe('BODY_NOT_RAW');
  expect(ended).toBe(true);
});
