import { gzipSync } from 'node:zlib';
import { eventually } from '@confab/internal/test-support';
import { expect, test, vi } from 'vitest';
import type { createClient } from '../src/index.ts';
import { InvalidResponseError, ServerError, TimeoutError } from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createGate } from './support/gate.ts';
import { json, startServer } from './support/server.ts';

const MIB = 2 ** 20;

/** Creates a body whose chunks are produced when they are pulled. */
const bodyOf = (chunks: Iterable<Uint8Array>) => {
  const source = chunks[Symbol.iterator]();
  const seen = { pulled: 0, canceled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = source.next();
        if (done) {
          controller.close();
          return;
        }
        seen.pulled += value.length;
        controller.enqueue(value);
      },
      cancel() {
        seen.canceled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, seen };
};

function* endless(size: number): Generator<Uint8Array> {
  for (;;) {
    yield new Uint8Array(size).fill(0x20);
  }
}

const connect = (stream: () => ReadableStream<Uint8Array>, status = 200, maxResponseBytes?: number) => {
  let sent = 0;
  const confab = clientWith({
    maxResponseBytes,
    clock: createTestClock(),
    fetch: async () => {
      sent += 1;
      return new Response(stream(), { status });
    },
  });
  return { confab, sent: () => sent };
};

test.each([
  ['GET', (confab: ReturnType<typeof createClient>) => confab.leads.get(ids.lead)],
  ['POST', (confab: ReturnType<typeof createClient>) => confab.leads.create({ phone: '+5511987654321' })],
])('a success larger than maxResponseBytes is not read to its end and not retried: %s', async (_, send) => {
  const { stream, seen } = bodyOf(endless(MIB));
  const { confab, sent } = connect(() => stream);
  const error = await errorOf(send(confab), InvalidResponseError);
  expect(error).toMatchObject({ status: 200, code: 'INVALID_RESPONSE' });
  expect(error.message).toContain('more than 10485760 bytes');
  expect(error.message).toContain('raise `maxResponseBytes`');
  expect(seen).toEqual({ pulled: 11 * MIB, canceled: true });
  expect(sent()).toBe(1);
  expect(confab.rateLimit.inFlight).toBe(0);
});

test('maxResponseBytes limits the decompressed size', async () => {
  const bomb = gzipSync(Buffer.alloc(20 * MIB, ' '));
  expect(bomb.length).toBeLessThan(30_000);
  const server = await startServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
  });
  const confab = clientAt(server.url);
  const error = await errorOf(confab.leads.get(ids.lead), InvalidResponseError);
  expect(error.message).toContain('maxResponseBytes');
  expect(server.arrivals).toHaveLength(1);
});

test('a success of exactly maxResponseBytes is read, and one with a byte more is not', async () => {
  const body = { success: true, data: { ...lead, displayName: 'Ünïcödé 👋' } };
  const server = await startServer(json(200, body));
  const bytes = Buffer.byteLength(JSON.stringify(body));
  const get = (maxResponseBytes: number) => clientAt(server.url, { maxResponseBytes }).leads.get(ids.lead);
  expect(await get(bytes)).toEqual(body.data);
  await errorOf(get(bytes - 1), InvalidResponseError);
});

test('the body of an error page larger than maxResponseBytes is cut off', async () => {
  const page = Buffer.from(`<h1>Bad gateway</h1>${'x'.repeat(5_000)}`);
  for (const chunks of [[page], [page.subarray(0, 30), page.subarray(30)]]) {
    const { confab } = connect(() => bodyOf(chunks).stream, 502, 4_000);
    const error = await errorOf(confab.leads.get(ids.lead, { retry: false }), ServerError);
    expect(error.message).toContain('<h1>Bad gateway</h1>');
  }
});

test('characters that are split between chunks are decoded correctly', async () => {
  const data = { ...lead, displayName: 'Ünïcödé 👋 漢字' };
  const bytes = new TextEncoder().encode(JSON.stringify({ success: true, data }));
  for (const size of [1, 2, 3]) {
    const count = Math.ceil(bytes.length / size);
    const chunks = Array.from({ length: count }, (_, at) => bytes.slice(at * size, (at + 1) * size));
    const { confab } = connect(() => bodyOf(chunks).stream);
    expect(await confab.leads.get(ids.lead)).toEqual(data);
  }
});

test.each(['before the response', 'while the body is read'])(
  'a timeout %s cancels the body of a fetch that ignores its signal',
  async (when) => {
    const clock = createTestClock();
    const cancel = vi.fn();
    const stream = new ReadableStream({ cancel });
    const asked = createGate();
    const answered = createGate();
    const fetch = async () => {
      asked.open();
      await answered.opened;
      return new Response(stream);
    };
    const call = errorOf(clientWith({ clock, fetch, retry: false }).leads.get(ids.lead), TimeoutError);
    await asked.opened;
    if (when === 'while the body is read') {
      answered.open();
      await eventually(() => expect(stream.locked).toBe(true));
    }
    clock.advance(30_000);
    await call;
    answered.open();
    await eventually(() => expect(cancel).toHaveBeenCalledOnce());
  },
);

test('of a million places where a body breaks the contract, the first hundred are reported', async () => {
  const body = `{"success":true,"data":[${'0,'.repeat(999_999)}0]}`;
  const drifts: number[] = [];
  const { agents } = clientWith({
    fetch: async () => new Response(body),
    hooks: { onDrift: ({ issues }) => void drifts.push(issues.length) },
  });
  await agents.list({ validation: 'warn' });
  expect(drifts).toEqual([100]);
  const error = await errorOf(agents.list({ validation: 'strict' }), InvalidResponseError);
  expect(error.issues).toHaveLength(100);
  expect(error.message.length).toBeLessThan(10_000);
});
