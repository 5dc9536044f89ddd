/**
 * Events of API Gateway v1 and v2, load balancers and function URLs, and anything like them: the status and code that a
 * reference calls for, and one handler call for each 200.
 */
import assert from 'node:assert/strict';
import { createWebhooks } from '@confab/webhooks';
import type { LambdaEvent } from '@confab/webhooks/lambda';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import * as fc from 'fast-check';
import { isObject, same } from '../checks.ts';
import { nearJson } from '../inputs.ts';
import { target as define } from '../target.ts';
import { hexSignature, MESSAGE, referenceEvent, SECRET } from '../webhooks.ts';

const MAX_BYTES = 4_096;
const webhooks = createWebhooks({ secret: SECRET, signature: { header: 'X-Sig' }, maxBodyBytes: MAX_BYTES });
let handled = 0;
webhooks.onAny(() => void (handled += 1));
const handle = toLambdaHandler(webhooks);

/** The bytes of an event's body; undefined for one that was parsed, or is not what it says. */
const bytesOf = ({ body, isBase64Encoded }: LambdaEvent): Uint8Array | undefined => {
  if (typeof body !== 'string') {
    return body === undefined || body === null ? Buffer.alloc(0) : undefined;
  }
  const digits = body.replaceAll(/[\t\n\f\r ]/g, '');
  // As the specification of `atob` says.
  const isBase64 = /^(?:[\w+/]{4})*(?:[\w+/]{2}(?:==)?|[\w+/]{3}=?)?$/.test(digits) && !digits.includes('_');
  return !isBase64Encoded ? Buffer.from(body) : isBase64 ? Buffer.from(digits, 'base64') : undefined;
};

/** The values of the signature's header: those of `multiValueHeaders`, if there are any. */
const signaturesOf = ({ headers, multiValueHeaders }: LambdaEvent): string[] =>
  Object.entries(
    Object.keys(multiValueHeaders ?? {}).length > 0 ? (multiValueHeaders ?? {}) : (headers ?? {}),
  )
    .filter(([name]) => name.toLowerCase() === 'x-sig')
    .flatMap(([, value]: [string, unknown]) => value)
    .filter((value) => typeof value === 'string');

/** What the function must respond to an event of the shapes that AWS sends. */
const referenceResponse = (event: LambdaEvent): [status: number, code?: string] => {
  const { httpMethod, requestContext } = event;
  const { http } = isObject(requestContext) ? requestContext : {};
  if ((httpMethod ?? (isObject(http) ? http.method : undefined)) !== 'POST') {
    return [405, 'METHOD_NOT_ALLOWED'];
  }
  const bytes = bytesOf(event);
  if (bytes === undefined) {
    return [500, 'BODY_NOT_RAW'];
  }
  if (bytes.length > MAX_BYTES) {
    return [413, 'BODY_TOO_LARGE'];
  }
  const [signature, ...more] = signaturesOf(event);
  if (!signature && more.length === 0) {
    return [401, 'MISSING_SIGNATURE'];
  }
  if (more.length > 0 || signature?.includes(',')) {
    return [401, 'AMBIGUOUS_SIGNATURE'];
  }
  if (signature !== hexSignature(bytes)) {
    return [401, /^[0-9a-f]{64}$/.test(signature ?? '') ? 'SIGNATURE_MISMATCH' : 'MALFORMED_SIGNATURE'];
  }
  const read = referenceEvent(bytes, MAX_BYTES);
  return typeof read === 'string' ? [400, read] : [200];
};

const isMissing = (value: unknown): boolean => value === null || value === undefined;

/** Whether AWS could have sent the event: senders choose headers and the body, not the shape. */
const isPossible = ({ headers, multiValueHeaders, body, httpMethod }: LambdaEvent): boolean =>
  [headers, multiValueHeaders].every((part) => isMissing(part) || isObject(part)) &&
  [body, httpMethod].every((part) => isMissing(part) || typeof part === 'string') &&
  !/content-length/i.test(JSON.stringify([headers, multiValueHeaders])) &&
  (typeof body !== 'string' || body.isWellFormed());

const body = JSON.stringify(MESSAGE);
// `$SIG` stands for the signature of the body.
const EVENTS = [
  {
    version: '1.0',
    httpMethod: 'POST',
    headers: { 'X-Sig': '$SIG' },
    multiValueHeaders: { 'X-Sig': ['$SIG'] },
    requestContext: { httpMethod: 'POST' },
    body,
    isBase64Encoded: false,
  },
  {
    version: '2.0',
    headers: { 'x-sig': '$SIG' },
    requestContext: { http: { method: 'POST', path: '/webhooks' } },
    body: Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  },
  {
    requestContext: { elb: { targetGroupArn: 'arn:aws:x' } },
    httpMethod: 'POST',
    headers: { 'x-sig': '$SIG', 'x-forwarded-for': '10.0.0.1' },
    body,
  },
  {
    version: '2.0',
    headers: { 'x-sig': '$SIG, $SIG' },
    requestContext: { http: { method: 'POST' } },
    body: null,
  },
];
const TOKENS = [
  '$SIG',
  'POST',
  'GET',
  'x-sig',
  'X-SIG',
  'headers',
  'multiValueHeaders',
  'requestContext',
  'http',
  'e30=',
  'eyJldmVudCI6ImEiLCJkYXRhIjp7fX0=',
];

export const target = define(
  fc.oneof(
    { weight: 3, arbitrary: nearJson(EVENTS, TOKENS) },
    // The body alone differs, and is signed as it is.
    fc.tuple(fc.constantFrom(...EVENTS), nearJson([MESSAGE], TOKENS)).map(([event, json]) => {
      const text = JSON.stringify(json) ?? '';
      return { ...event, body: event.isBase64Encoded ? Buffer.from(text).toString('base64') : text };
    }),
  ),
  async (given) => {
    if (!isObject(given)) {
      return;
    }
    const signature = hexSignature(bytesOf(given) ?? Buffer.alloc(0));
    const event = JSON.parse(JSON.stringify(given).replaceAll('$SIG', signature)) as LambdaEvent;
    handled = 0;
    const { statusCode, body, headers } = await handle(event);
    const { error, ok } = JSON.parse(body);
    assert.ok([200, 400, 401, 405, 413, 500].includes(statusCode), `the status is ${statusCode}`);
    assert.notEqual(error, 'HANDLER_FAILED');
    assert.equal(headers['content-type'], 'application/json');
    assert.deepEqual([handled, ok], statusCode === 200 ? [1, true] : [0, undefined]);
    // With `$SIG` in the body, the body that was signed is another one.
    if (isPossible(event) && !JSON.stringify(given.body ?? '').includes('$SIG')) {
      same(
        [statusCode, error],
        referenceResponse(event).concat(statusCode === 200 ? [undefined as never] : []),
        'the response',
      );
    }
  },
  [{ requestContext: 'POST', body: '' }],
);
