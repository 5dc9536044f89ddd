import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../src/request/body.ts';
import { readIncoming } from '../src/server/incoming.ts';
import { bytesInUse, collectGarbage } from './garbage.ts';
import { open } from './hosts.ts';

const KIB = 1024;

test('of a body that is too large, nothing is kept but its beginning, and that only until it is known', async () => {
  const chunks: WeakRef<Buffer>[] = [];
  let alive: boolean[] = [];
  async function* body() {
    for (let index = 0; index < 6; index += 1) {
      const chunk = Buffer.alloc(300 * KIB);
      chunks.push(new WeakRef(chunk));
      yield chunk;
    }
    await collectGarbage();
    alive = chunks.map((chunk) => chunk.deref() !== undefined);
  }
  expect(await readIncoming(body() as unknown as IncomingMessage)).toBeUndefined();
  // The last one is still in the hands of whoever reads.
  expect(alive.slice(0, -1)).toEqual([false, false, false, false, false]);
});

test('a character that two chunks share is read whole', async () => {
  async function* body() {
    for (const byte of Buffer.from('"é"')) yield Buffer.from([byte]);
  }
  expect(await readIncoming(body() as unknown as IncomingMessage)).toBe('"é"');
});

test('a body of one-byte chunks costs about as much as its bytes', async () => {
  const before = await bytesInUse();
  let grown = 0;
  async function* body() {
    for (let sent = 0; sent < 256 * KIB; sent += 1) yield Buffer.from('a');
    grown = (await bytesInUse()) - before;
  }
  expect(await readIncoming(body() as unknown as IncomingMessage)).toHaveLength(256 * KIB);
  expect(grown).toBeLessThan(3 * 1024 * KIB);
});

test('a Request of one-byte chunks costs about as much as its bytes', async () => {
  const { mock } = open();
  const before = await bytesInUse();
  let [sent, grown] = [0, 0];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let index = 0; index < KIB; index += 1) controller.enqueue(new Uint8Array([97]));
      sent += KIB;
      if (sent < 256 * KIB) return;
      grown = (await bytesInUse()) - before;
      controller.close();
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, init);
  expect(sent).toBe(256 * KIB);
  expect(grown).toBeLessThan(3 * 1024 * KIB);
});

test('a body without an end is read no further than where it is too large, on every way in', async () => {
  const { mock } = open();
  const chunk = new Uint8Array(64 * KIB);
  let [pulled, cancelled] = [0, false];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += chunk.byteLength;
      controller.enqueue(chunk);
    },
    cancel() {
      cancelled = true;
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const response = await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, init);
  expect([response.status, cancelled]).toEqual([413, true]);
  expect(pulled).toBeLessThan(2 * MAX_BODY_BYTES);

  let [yielded, left] = [0, false];
  async function* incoming() {
    try {
      for (;;) {
        yielded += chunk.byteLength;
        yield Buffer.from(chunk.buffer);
      }
    } finally {
      left = true;
    }
  }
  expect(await readIncoming(incoming() as unknown as IncomingMessage)).toBeUndefined();
  expect(left).toBe(true);
  // So much that a caller who only sent too much gets to read the answer.
  expect(yielded).toBeGreaterThan(16 * MAX_BODY_BYTES);
  expect(yielded).toBeLessThan(18 * MAX_BODY_BYTES);
});
