/**
 * Tries signed bodies as bytes, views, text and chunks. `unwrap` and `receive` return the event or the error code that
 * `TextDecoder` and `JSON.parse` imply. No body above the limit passes, whatever `Content-Length` says.
 */
import { createHmac } from 'node:crypto';
import { createWebhooks, WebhookError } from '@confab/webhooks';
import { assert, checkMessage, fc, fuzz, isObject, nearJsonText, parsed, piece, same } from './kit.ts';

const MAX_BYTES = 200;
const SECRET = 'a secret of the fuzzing targets';
const MESSAGE = {
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
};
const UNKNOWN = { event: 'lead.moved', data: { to: 'wön', list: [1, null, '\\ud800'] } };

/** Returns the event in a body, or the code of the error with which it must be refused. */
const referenceEvent = (body: Uint8Array): object | string => {
  if (body.length > MAX_BYTES) {
    return 'BODY_TOO_LARGE';
  }
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return 'INVALID_ENCODING';
  }
  const json = parsed(text);
  if (json === undefined) {
    return 'INVALID_JSON';
  }
  const { event, data } = isObject(json) ? json : {};
  if (typeof event !== 'string' || !isObject(data)) {
    return 'INVALID_EVENT';
  }
  const known = event === 'message.created';
  const isValid = ['conversationId', 'channel', 'body'].every((field) => typeof data[field] === 'string');
  return !known || isValid ? { event, data, known } : 'INVALID_EVENT';
};

let handled: unknown[] = [];
const webhooks = createWebhooks({ secret: SECRET, signature: { header: 'x-sig' }, maxBodyBytes: MAX_BYTES });
webhooks.onAny((event) => void handled.push(event));

/** Unwraps a body. Returns the event, or the code of the error. */
const unwrapped = (
  body: Uint8Array | ArrayBuffer | string,
  headers: Record<string, string>,
): Promise<unknown> =>
  webhooks.unwrap(body, headers).catch((error: unknown) => {
    assert.ok(error instanceof WebhookError, error as Error);
    checkMessage(error.message, [SECRET], 1_000);
    return error.code;
  });

/** A body as a stream delivers it. */
async function* chunksOf(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < body.length; start += size) {
    yield body.subarray(start, start + size);
  }
}

const text = nearJsonText(
  [MESSAGE, UNKNOWN, { event: 'a', data: {} }],
  ['message.created', 'data', 'event', '\\ud800', '\ufeff'],
);

fuzz(
  'webhooks-body: a signed body is read as TextDecoder and JSON.parse read it, up to the limit',
  fc.record({
    body: fc.oneof(
      text.map((text) => Buffer.from(text)),
      text.map((text) => Buffer.from(`\ufeff${text}`)),
      // As bytes, some of which are not UTF-8.
      fc.tuple(text, fc.nat(), fc.nat(255)).map(([text, place, byte]) => {
        const bytes = Buffer.from(text);
        bytes[place % Math.max(1, bytes.length)] = byte;
        return bytes;
      }),
      // Around the limit.
      fc.integer({ min: MAX_BYTES - 3, max: MAX_BYTES + 3 }).map((size) => {
        const head = '{"event":"a","data":{"x":"';
        return Buffer.from(`${head.padEnd(size - 3, '0')}"}}`);
      }),
    ),
    chunk: fc.integer({ min: 1, max: 70 }),
    length: fc.option(piece(['90', '200', '201', '-1', '1e9', '0x10']), { nil: undefined }),
  }),
  async ({ body, chunk, length }) => {
    const wanted = referenceEvent(body);
    const headers = { 'x-sig': createHmac('sha256', SECRET).update(body).digest('hex') };
    // The buffer of a view has other bytes around it.
    const around = new Uint8Array(body.length + 20).fill(0x7b);
    around.set(body, 10);
    const views = [body, new Uint8Array(body).buffer, around.subarray(10, body.length + 10)];
    same(await unwrapped(views[chunk % 3] ?? body, headers), wanted, 'unwrapped bytes');
    // The same as a string, unless decoding loses something.
    if (Buffer.from(body.toString()).equals(body)) {
      same(await unwrapped(body.toString(), headers), wanted, 'unwrapped text');
    }
    handled = [];
    const response = await webhooks.receive({
      method: 'POST',
      headers: length === undefined ? headers : { ...headers, 'content-length': length },
      body: chunksOf(body, chunk),
    });
    const code = Number(length) > MAX_BYTES ? 'BODY_TOO_LARGE' : wanted;
    const isRefused = typeof code === 'string';
    same(JSON.parse(response.body), isRefused ? { error: code } : { ok: true }, 'the response');
    assert.equal(response.status === 200, !isRefused);
    same(handled, isRefused ? [] : [wanted], 'handled events');
  },
  [{ body: Buffer.from('{"event":"a\xff","data":{}}', 'latin1'), chunk: 3, length: undefined }],
);
