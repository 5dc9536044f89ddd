import type { LambdaEvent } from '../../../packages/webhooks/src/adapters/lambda.ts';
import { toLambdaHandler } from '../../../packages/webhooks/src/adapters/lambda.ts';
import { createWebhooks } from '../../../packages/webhooks/src/create-webhooks.ts';
import type { Target } from '../engine/target.ts';
import { hold, same } from '../engine/target.ts';
import { decodeForgiving } from '../reference/base64.ts';
import { referenceEvent } from '../reference/event.ts';
import { hexSignature, KEY } from '../reference/hex-signature.ts';

const MOST = 4_096;
const webhooks = createWebhooks({
  secret: KEY,
  signature: { header: 'X-Sig', encoding: 'hex' },
  maxBodyBytes: MOST,
});
let handled: unknown[] = [];
webhooks.onAny((event) => {
  handled.push(event);
});
const handle = toLambdaHandler(webhooks);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The bytes of an event's body; undefined for one that was parsed, or is not what it says. */
const bytesOf = ({ body, isBase64Encoded }: LambdaEvent): Uint8Array | undefined => {
  if (body === undefined || body === null) {
    return Buffer.alloc(0);
  }
  if (typeof body !== 'string') {
    return undefined;
  }
  return isBase64Encoded ? decodeForgiving(body) : Buffer.from(body);
};

/** The values of the signature's header: those of `multiValueHeaders`, if there are any. */
const signaturesOf = ({ headers, multiValueHeaders }: LambdaEvent): unknown[] => {
  const used =
    isObject(multiValueHeaders) && Object.keys(multiValueHeaders).length > 0 ? multiValueHeaders : headers;
  return Object.entries(isObject(used) ? used : {})
    .filter(([name]) => name.toLowerCase() === 'x-sig')
    .flatMap(([, value]) => value as unknown)
    .filter((value) => typeof value === 'string');
};

const methodOf = ({ httpMethod, requestContext }: LambdaEvent): unknown =>
  httpMethod ??
  (isObject(requestContext) && isObject(requestContext.http) ? requestContext.http.method : undefined);

/** What the function must respond, for an event of the shapes that AWS sends. */
const referenceResponse = (event: LambdaEvent): [status: number, body: object] => {
  if (methodOf(event) !== 'POST') {
    return [405, { error: 'METHOD_NOT_ALLOWED' }];
  }
  const bytes = bytesOf(event);
  if (bytes === undefined) {
    return [500, { error: 'BODY_NOT_RAW' }];
  }
  if (bytes.length > MOST) {
    return [413, { error: 'BODY_TOO_LARGE' }];
  }
  const [signature, ...more] = signaturesOf(event);
  if (more.length > 0) {
    return [401, { error: 'AMBIGUOUS_SIGNATURE' }];
  }
  if (!signature) {
    return [401, { error: 'MISSING_SIGNATURE' }];
  }
  if (!/^[0-9a-f]{64}$/.test(String(signature))) {
    return [401, { error: String(signature).includes(',') ? 'AMBIGUOUS_SIGNATURE' : 'MALFORMED_SIGNATURE' }];
  }
  if (signature !== hexSignature(bytes)) {
    return [401, { error: 'SIGNATURE_MISMATCH' }];
  }
  const read = referenceEvent(bytes, MOST);
  return typeof read === 'string' ? [400, { error: read }] : [200, { ok: true }];
};

/** Whether AWS could have sent the event: senders choose headers and the body, not the shape. */
const isPossible = ({ headers, multiValueHeaders, body, httpMethod }: LambdaEvent): boolean =>
  [headers, multiValueHeaders].every((part) => part === null || part === undefined || isObject(part)) &&
  [body, httpMethod].every((part) => part === null || part === undefined || typeof part === 'string') &&
  !/content-length/i.test(JSON.stringify([headers, multiValueHeaders])) &&
  (typeof body !== 'string' || Buffer.from(body).toString() === body);

/** Each input is an event as JSON. `$SIG` stands for the signature of its body. */
export const target: Target = {
  checks:
    'Events of API Gateway v1 and v2, load balancers and function URLs, and anything like them: the status and code that a reference calls for, one handler call for each 200',
  maxBytes: 3_000,
  work: (bytes) => 4_000 + 100 * bytes,
  words: [
    '$SIG',
    '"isBase64Encoded":true',
    'httpMethod',
    'requestContext',
    'multiValueHeaders',
    'POST',
    'x-sig',
    'eyJldmVudCI6ImEiLCJkYXRhIjp7fX0=',
  ],
  run: async (input) => {
    let given: unknown;
    try {
      given = JSON.parse(Buffer.from(input).toString('utf8'));
    } catch {
      return;
    }
    if (!isObject(given)) {
      return;
    }
    const bytes = bytesOf(given as LambdaEvent);
    const signature = bytes === undefined ? '' : hexSignature(bytes);
    const event = JSON.parse(JSON.stringify(given).replaceAll('$SIG', signature)) as LambdaEvent;
    handled = [];
    const { statusCode, body, headers } = await handle(event);
    hold(!body.includes('HANDLER_FAILED'), 'the adapter failed');
    hold([200, 400, 401, 405, 413, 500].includes(statusCode), `the status is ${statusCode}`);
    same(headers['content-type'], 'application/json', 'the type');
    hold(isObject(JSON.parse(body)), 'the body is not an object');
    same(handled.length, statusCode === 200 ? 1 : 0, 'handler calls');
    // With `$SIG` in the body, the body that was signed is another one.
    if (isPossible(event) && !JSON.stringify(given.body ?? '').includes('$SIG')) {
      same([statusCode, JSON.parse(body)], referenceResponse(event), 'the response');
    }
  },
};
