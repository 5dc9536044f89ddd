import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { bytesInUse } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { MAX_BODY_BYTES } from '../../src/request/call.ts';
import { readIncoming } from '../../src/server/incoming.ts';
import { open } from '../support/hosts.ts';
import { start, statusOf } from '../support/serving.ts';

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
  expect(await readIncoming(incomingOf(body()), { take: () => {} })).toHaveLength(256 * KIB);
  expect(grown).toBeLessThan(3 * 1024 * KIB);
});

test('a Request of one-byte chunks costs about as much as its bytes', async () => {
  const { mock } = open();
  const before = await bytesInUse();
  let [sent, grown] = [0, 0];
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      for (let index = 0; index < KIB; index += 1) {
        controller.enqueue(new Uint8Array([97]));
      }
      sent += KIB;
      if (sent < 256 * KIB) {
        return;
      }
      grown = (await bytesInUse()) - before;
      controller.close();
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, init);
  expect(sent).toBe(256 * KIB);
  expect(grown).toBeLessThan(3 * 1024 * KIB);
});

test('a Request without an end is read no further than where it is too large', async () => {
  const { mock } = open();
  let [pulled, cancelled] = [0, false];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 64 * KIB;
      controller.enqueue(new Uint8Array(64 * KIB));
    },
    cancel() {
      cancelled = true;
    },
  });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  const response = await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, init);
  expect([response.status, cancelled]).toEqual([413, true]);
  expect(pulled).toBeLessThan(2 * MAX_BODY_BYTES);
});

test('over TCP, an endless body gets its response while it is still being sent', async () => {
  const service = await start();
  const chunk = `${(64 * KIB).toString(16)}\r\n${'x'.repeat(64 * KIB)}\r\n`;
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(new URL(service.server.url).port), '127.0.0.1', () => {
      socket.write(
        'POST /api/v2/public/leads HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n',
      );
      send();
    });
    const send = () => {
      while (!socket.destroyed && socket.write(chunk)) {}
    };
    socket.on('drain', send);
    socket.on('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data));
    });
  });
  expect(statusOf(answer)).toBe(413);
  expect(service.mock.requests.all).toMatchObject([{ status: 413, body: undefined }]);
});
