import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { Delivery, Signature, WebhooksOptions } from '@confab/webhooks';
import { createWebhooks, detectSignature, sign, standardWebhooks, timestamped } from '@confab/webhooks';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { codeOf, createReceiver, message } from './support/receiver.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const header = 'x-sig';
const plain = { header, encoding: 'hex', decompress: true } as const;
const schemes: readonly Signature[] = [
  plain,
  standardWebhooks({ decompress: true }),
  timestamped({ header, decompress: true }),
];
const brotli = (body: string) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotli };
const text = JSON.stringify(message);

/** Delivers a body with the signature of a text, and returns the status, the bytes that handlers get and the error. */
const deliver = async (
  body: unknown,
  contentEncoding: string | undefined,
  {
    signed = text,
    signature = plain as Signature,
    ...options
  }: Partial<WebhooksOptions> & { signed?: string } = {},
) => {
  const { webhooks, errors } = createReceiver({ secret, signature, ...options });
  let bytes: Uint8Array | undefined;
  if (options.enqueue === undefined) {
    webhooks.onAny((_, context) => {
      bytes = context.body;
    });
  }
  const headers = { ...(await sign(signed, { secret, signature })), 'Content-Encoding': contentEncoding };
  const { status } = await webhooks.receive({ method: 'POST', headers, body });
  return { status, bytes: bytes && Buffer.from(bytes).toString(), error: errors[0] };
};

async function* chunksOf(bytes: Uint8Array, size: number) {
  for (let offset = 0; offset < bytes.length; offset += size) {
    yield bytes.subarray(offset, offset + size);
  }
}

test('with `decompress`, a body is read if its decompressed size is within maxBodyBytes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'binary', maxLength: 500 }), { maxLength: 8 }),
      fc.constantFrom(...(['gzip', 'deflate', 'br'] as const)),
      fc.constantFrom(...schemes),
      fc.integer({ min: 1, max: 5_000 }),
      async (texts, encoding, signature, size) => {
        const signed = JSON.stringify({ event: 'x', data: { texts } });
        const compressed = encodings[encoding](signed);
        const length = Buffer.byteLength(signed);
        const read = (maxBodyBytes: number) =>
          deliver(chunksOf(compressed, size), encoding, { signed, signature, maxBodyBytes });
        expect(await read(Math.max(length, compressed.length))).toMatchObject({ status: 200, bytes: signed });
        expect(await read(length - 1)).toMatchObject({ status: 413, error: { code: 'BODY_TOO_LARGE' } });
      },
    ),
  );
});

/** Counts the streams that are created, and the bytes that come out of them. */
const countDecompressed = () => {
  const seen = { streams: 0, bytes: 0 };
  const Original = DecompressionStream;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      seen.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
  });
  vi.stubGlobal('DecompressionStream', function create(format: 'gzip') {
    seen.streams += 1;
    const { readable, writable } = new Original(format);
    return { readable: readable.pipeThrough(count), writable };
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return seen;
};

test('a decompression bomb gets a 413, and is decompressed no further than the limit', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const seen = countDecompressed();
  const { status, error } = await deliver(bomb, 'gzip', { maxBodyBytes: 100_000 });
  expect([status, error?.code]).toEqual([413, 'BODY_TOO_LARGE']);
  expect(seen.bytes).toBeLessThan(400_000);
});

test('a body is not decompressed if the signature is missing or malformed, or without `decompress`', async () => {
  const seen = countDecompressed();
  const body = gzipSync(text);
  const headers = { 'content-encoding': 'gzip' };
  for (const signed of [{}, { [header]: 'junk' }]) {
    const { webhooks } = createReceiver({ secret, signature: plain });
    const sent = { method: 'POST', headers: { ...headers, ...signed }, body };
    expect(await webhooks.receive(sent)).toMatchObject({ status: 401 });
  }
  const genuine = { ...headers, ...(await sign(body, { secret, signature: { header } })) };
  const webhooks = createWebhooks({ secret, signature: { header } });
  expect(await webhooks.verify(body, genuine)).toEqual({ secretIndex: 0 });
  expect(seen.streams).toBe(0);
});

test.each([
  ['GZIP', gzipSync(text)],
  ['x-gzip', gzipSync(text)],
  [undefined, Buffer.from(text)],
  [undefined, text],
])('with `decompress`, a body with the content-encoding %s is read', async (name, body) => {
  expect(await deliver(body, name)).toMatchObject({ status: 200, bytes: text });
});

const zipped = gzipSync(text);
const broken = Buffer.from(zipped).fill(0xff, 20, 30);
const isDifferent =
  'The body does not match its content-encoding "gzip". If something before this receiver decompresses it, remove `decompress`.';

test.each<[title: string, body: Uint8Array | string, name: string, message: string]>([
  ['that is no longer compressed', text, 'gzip', isDifferent],
  ['that is cut off', zipped.subarray(0, -1), 'gzip', isDifferent],
  ['that is broken', broken, 'gzip', isDifferent],
  ['with bytes after its end', Buffer.concat([zipped, Buffer.from('more')]), 'gzip', isDifferent],
  ['that is empty', '', 'gzip', isDifferent],
  // Node has none of these.
  ...['zstd', 'gzip, gzip', 'identity', 'constructor'].map((name): [string, Uint8Array, string, string] => [
    `in ${name}`,
    zipped,
    name,
    `A body with the content-encoding "${name}" cannot be decompressed here. Ask the sender for gzip.`,
  ]),
])('with `decompress`, a body %s gets a 400 and the remedy', async (_, body, name, message) => {
  const refused = { status: 400, error: { code: 'INVALID_ENCODING', message, cause: expect.any(Error) } };
  expect(await deliver(body, name)).toMatchObject(refused);
});

test('the error for a compressed body that does not match says whether to set or remove `decompress`', async () => {
  const headers = { ...(await sign(text, { secret, signature: plain })), 'content-encoding': 'gzip' };
  const without = createWebhooks({ secret, signature: { header } });
  await expect(without.verify(zipped, headers)).rejects.toThrow(
    'If the body was compressed after it was signed, set `decompress`.',
  );
  const signed = { ...headers, ...(await sign(zipped, { secret, signature: plain })) };
  await expect(createWebhooks({ secret, signature: plain }).verify(zipped, signed)).rejects.toThrow(
    'If the body was compressed before it was signed, remove `decompress`.',
  );
  await expect(without.verify(`${text} `, await sign(text, { secret, signature: plain }))).rejects.toThrow(
    expect.not.stringContaining('compress'),
  );
});

test('with `decompress`, verify() and unwrap() decompress a body too', async () => {
  const webhooks = createWebhooks({ secret, signature: standardWebhooks({ decompress: true }) });
  const signature = standardWebhooks();
  const headers = { ...(await sign(text, { secret, signature, id: 'msg_1' })), 'content-encoding': 'gzip' };
  expect(await webhooks.verify(zipped, headers)).toEqual({ secretIndex: 0, id: 'msg_1' });
  expect(await webhooks.unwrap(zipped, headers)).toMatchObject(message);
  expect(await codeOf(webhooks.verify(gzipSync(`${text} `), headers))).toBe('SIGNATURE_MISMATCH');
});

test('a queued delivery has the same id whether it was compressed or not', async () => {
  const jobs: Delivery[] = [];
  const enqueue = async (job: Delivery) => void jobs.push(job);
  await deliver(text, undefined, { enqueue, dedupe: { key: () => 'a' } });
  await deliver(brotli(text), 'br', { enqueue, dedupe: { key: () => 'a' } });
  expect(jobs).toMatchObject([message, { ...message, id: jobs[0]?.id }]);
});

test.each(schemes)(
  'detectSignature() finds out that the body was compressed after it was signed: %o',
  async (signature) => {
    const headers = { ...(await sign(text, { secret, signature })), 'content-encoding': 'gzip' };
    const detected = await detectSignature({ headers, body: zipped, secret });
    const option = 'source' in signature ? expect.objectContaining({ source: signature.source }) : signature;
    expect(detected).toEqual({ found: true, signature: option, secret: 'as given' });
    const signedLast = { ...(await sign(zipped, { secret, signature })), 'content-encoding': 'gzip' };
    const { signature: found } = (await detectSignature({ headers: signedLast, body: zipped, secret })) as {
      signature: Signature;
    };
    expect(found.decompress).toBe(undefined);
  },
);

test('detectSignature() lists that it tried the decompressed body, or why it could not decompress the body', async () => {
  const headers = { [header]: '0'.repeat(64), 'content-encoding': 'gzip' };
  const triedOf = async (body: Uint8Array) => {
    const detected = await detectSignature({ headers, body, secret });
    return detected.found ? [] : detected.tried;
  };
  expect(await triedOf(zipped)).toContain('the same with the body decompressed');
  expect((await triedOf(broken)).at(-1)).toMatch(/^The body does not match its content-encoding/);
});
