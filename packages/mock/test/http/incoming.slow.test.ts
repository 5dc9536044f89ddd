import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { bytesInUse } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { readIncoming } from '../../src/http/incoming.ts';
import { MAX_BODY_BYTES } from '../../src/request/incoming-request.ts';
import { open } from '../support/hosts.ts';

const KIB = 1024;

const incomingOf = (chunks: AsyncIterable<Buffer>): IncomingMessage =>
  Readable.from(chunks) as unknown as IncomingMessage;

test('a body of one-byte chunks costs about as much as its bytes', async () => {
  const before = await bytesInUse();
  let grown = 0;
  async function* body() {
    for (let sent = 0; sent < 256 * KIB; sent += 1) {
      yield Buffer.from('a');
    }
    grown = (await bytesInUse()) - before;
  }
  expect(await readIncoming(incomingOf(body()), () => {})).toHaveLength(256 * KIB);
  expect(grown).toBeLessThan(3 * 1024 * KIB);
});

/** Posts a body without a known length to a mock in this process. */
const post = (pull: UnderlyingDefaultSource<Uint8Array>['pull'], cancel = () => {}) => {
  const { mock } = open();
  const body = new ReadableStream<Uint8Array>({ ...(pull && { pull }), cancel });
  return mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, {
    method: 'POST',
    body,
    duplex: 'half',
  } as RequestInit);
};

test('a Request of one-byte chunks costs about as much as its bytes', async () => {
  const before = await bytesInUse();
  let [sent, grown] = [0, 0];
  await post(async (controller) => {
    for (let index = 0; index < KIB; index += 1) {
      controller.enqueue(new Uint8Array([97]));
    }
    sent += KIB;
    if (sent === 256 * KIB) {
      grown = (await bytesInUse()) - before;
      controller.close();
    }
  });
  expect(sent).toBe(256 * KIB);
  expect(grown).toBeLessThan(3 * 1024 * KIB);
});

test('a Request with an endless body is read only until it is too large', async () => {
  let [pulled, cancelled] = [0, false];
  const { status } = await post(
    (controller) => {
      pulled += 64 * KIB;
      controller.enqueue(new Uint8Array(64 * KIB));
    },
    () => {
      cancelled = true;
    },
  );
  expect([status, cancelled]).toEqual([413, true]);
  expect(pulled).toBeLessThan(2 * MAX_BODY_BYTES);
});
