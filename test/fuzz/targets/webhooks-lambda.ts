/**
 * Events of API Gateway v1 and v2, load balancers and function URLs: the status and code that the method, the signature and
 * the body call for. Of anything like them: a response of the receiver, and one handler call for each 200.
 */
import { createWebhooks } from '@confab/webhooks';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { assert, define, fc, nearJson, nearJsonText, same } from '../kit.ts';
import { hexSignature, MESSAGE, referenceEvent, SECRET } from '../webhooks.ts';

const MAX_BYTES = 4_096;
const handled: unknown[] = [];
const webhooks = createWebhooks({ secret: SECRET, signature: { header: 'X-Sig' }, maxBodyBytes: MAX_BYTES });
webhooks.onAny((event) => void handled.push(event));
const handle = toLambdaHandler(webhooks);

/** The events of the services. */
const SHAPES: readonly ((method: string, signatures: string[]) => object)[] = [
  (httpMethod, signatures) => ({
    version: '1.0',
    httpMethod,
    headers: { 'X-Sig': signatures.at(-1) },
    multiValueHeaders: { 'X-Sig': signatures },
  }),
  (method, signatures) => ({
    version: '2.0',
    headers: { 'x-sig': signatures.join(',') },
    requestContext: { http: { method, path: '/webhooks' } },
  }),
  (httpMethod, signatures) => ({
    requestContext: { elb: { targetGroupArn: 'arn:aws:x' } },
    httpMethod,
    headers: { 'x-sig': signatures.join(','), 'x-forwarded-for': '10.0.0.1' },
  }),
];

/** The signatures that arrive, and the code that they call for. */
const SIGNATURES: Readonly<Record<string, [(genuine: string) => string[], code?: string]>> = {
  genuine: [(genuine) => [genuine]],
  none: [() => [], 'MISSING_SIGNATURE'],
  two: [(genuine) => [genuine, genuine], 'AMBIGUOUS_SIGNATURE'],
  forged: [() => ['0'.repeat(64)], 'SIGNATURE_MISMATCH'],
  upper: [(genuine) => [genuine.toUpperCase()], 'MALFORMED_SIGNATURE'],
  cut: [(genuine) => [genuine.slice(1)], 'MALFORMED_SIGNATURE'],
};

/** Runs the function, and returns its status and code. */
const responseTo = async (event: unknown): Promise<unknown[]> => {
  handled.length = 0;
  const { statusCode, body, headers } = await handle(event as never);
  const { error } = JSON.parse(body);
  assert.ok([200, 400, 401, 405, 413, 500].includes(statusCode) && error !== 'HANDLER_FAILED', body);
  assert.equal(headers['content-type'], 'application/json');
  assert.equal(handled.length, statusCode === 200 ? 1 : 0);
  return statusCode === 200 ? [200] : [statusCode, error];
};

/** Bodies, and the bytes that they stand for: none, for one that is not base64 although it should be. */
const text = nearJsonText([MESSAGE, { event: 'a', data: {} }], ['event', 'data', 'x'.repeat(1_500)]);
const body = fc.oneof(
  text.map((text) => ({ body: text, isBase64Encoded: false, bytes: Buffer.from(text) })),
  text.map((text) => ({
    body: btoa(unescape(encodeURIComponent(text))),
    isBase64Encoded: true,
    bytes: Buffer.from(text),
  })),
  fc.uint8Array().map((bytes) => ({
    body: Buffer.from(bytes).toString('base64'),
    isBase64Encoded: true,
    bytes: Buffer.from(bytes),
  })),
  fc.constant({ body: null, isBase64Encoded: false, bytes: Buffer.alloc(0) }),
  fc.constantFrom('e30', 'e', '{}', 'e30=e30=', 'ö').map((body) => ({
    body,
    isBase64Encoded: true,
    bytes: body === 'e30' ? Buffer.from('{}') : undefined,
  })),
  fc.constantFrom({}, 1, [MESSAGE]).map((body) => ({ body, isBase64Encoded: false, bytes: undefined })),
);

export const target = define(
  fc.record({
    shape: fc.constantFrom(...SHAPES),
    method: fc.oneof({ weight: 5, arbitrary: fc.constant('POST') }, fc.constantFrom('GET', 'post')),
    signature: fc.constantFrom('genuine', 'genuine', ...Object.keys(SIGNATURES)),
    body,
    near: nearJson(
      [SHAPES[0]?.('POST', ['S']), SHAPES[1]?.('POST', ['S'])],
      ['POST', 'X-SIG', 'headers', 'http', 'body'],
    ),
  }),
  async ({ shape, method, signature, body: { bytes, ...body }, near }) => {
    const [write, code] = SIGNATURES[signature] ?? [];
    const event = { ...shape(method, write?.(hexSignature(bytes ?? Buffer.alloc(0))) ?? []), ...body };
    const read = referenceEvent(bytes ?? Buffer.alloc(0), MAX_BYTES);
    const wanted =
      (method !== 'POST' && [405, 'METHOD_NOT_ALLOWED']) ||
      (bytes === undefined && [500, 'BODY_NOT_RAW']) ||
      (read === 'BODY_TOO_LARGE' && [413, read]) ||
      (code !== undefined && [401, code]) ||
      (typeof read === 'string' ? [400, read] : [200]);
    same(await responseTo(event), wanted, 'the response');
    same(handled, wanted[0] === 200 ? [read] : [], 'the event');
    await responseTo(near);
    // A past finding.
    await responseTo({ ...event, requestContext: near });
  },
);
