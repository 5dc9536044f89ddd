import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { readIncoming } from '../src/server/incoming.ts';

const KIB = 1024;

/** Frees what nothing refers to. */
const collectGarbage = async (): Promise<void> => {
  // A weak reference keeps its target until the end of the job that looked at it.
  await new Promise(setImmediate);
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
};

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
