import { createWebhooks } from '../../../packages/webhooks/src/create-webhooks.ts';
import { WebhookError } from '../../../packages/webhooks/src/errors.ts';
import { readMessage } from '../engine/message.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';
import { referenceEvent } from '../reference/event.ts';
import { hexSignature, KEY } from '../reference/hex-signature.ts';

const MOST = 200;
const HEADER = 'x-sig';

let handled: unknown[] = [];
const webhooks = createWebhooks({
  secret: KEY,
  signature: { header: HEADER, encoding: 'hex' },
  maxBodyBytes: MOST,
});
webhooks.onAny((event) => {
  handled.push(event);
});

/** Cuts a body into chunks of this many bytes, as a stream delivers it. */
async function* chunksOf(body: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) {
    yield body.subarray(at, at + size);
  }
}

/** Puts the body into one of the forms that `unwrap` accepts. The buffer of a view has other bytes around it. */
const formsOf = (body: Buffer): (Uint8Array | ArrayBuffer)[] => {
  const around = new Uint8Array(body.length + 20).fill(0x7b);
  around.set(body, 10);
  return [body, new Uint8Array(body).buffer, around.subarray(10, body.length + 10)];
};

/** The first line is the size of chunks, and a `Content-Length` that need not be right. The body is signed as it is. */
export const target: Target = {
  checks:
    'Bytes, views, text and chunks of signed bodies: `unwrap` and `receive` return the event, or the code, that `TextDecoder` and `JSON.parse` call for; no body above the limit passes, whatever `Content-Length` says',
  maxBytes: 320,
  work: (bytes) => 3_000 + 100 * bytes,
  words: [
    '{"event":"',
    '"data":{',
    'message.created',
    '\u00ef\u00bb\u00bf',
    '\\ud800',
    '"conversationId":"c"',
    '201',
  ],
  run: async (input) => {
    const { line, body } = readMessage(input);
    const [size = '', length] = line.split(' ');
    const wanted = referenceEvent(body, MOST);
    const headers = { [HEADER]: hexSignature(body) };

    const form = formsOf(body)[body.length % 3] ?? body;
    const unwrapped = await webhooks.unwrap(form, headers).catch((error: unknown) => {
      hold(error instanceof WebhookError, `threw ${error}`);
      hold(
        error.message.length <= 1_000 && !/\p{Cc}/u.test(error.message),
        'the message is not one short line',
      );
      return error.code;
    });
    same(unwrapped, wanted, 'unwrapped bytes');
    // The same text as a string, unless decoding loses something.
    const text = body.toString('utf8');
    if (Buffer.from(text).equals(body)) {
      const fromText = await webhooks.unwrap(text, headers).catch((error: WebhookError) => error.code);
      same(fromText, wanted, 'unwrapped text');
    }

    handled = [];
    const chunks = chunksOf(body, Math.max(1, Number(size) || 16));
    const response = await webhooks.receive({
      method: 'POST',
      headers: length === undefined ? headers : { ...headers, 'content-length': length },
      body: chunks,
    });
    const isAnnouncedTooLarge = Number(length) > MOST;
    const code = isAnnouncedTooLarge ? 'BODY_TOO_LARGE' : wanted;
    if (typeof code === 'string') {
      same(JSON.parse(response.body), { error: code }, 'the response');
      same(handled, [], 'handled events');
    } else {
      same([response.status, response.body], [200, '{"ok":true}'], 'the response');
      same(handled, [wanted], 'handled events');
    }
  },
};
