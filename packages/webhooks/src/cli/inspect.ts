import type { IncomingHttpHeaders } from 'node:http';
import { createWebhooks } from '../create-webhooks.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import { secretBytes } from '../signature/secret.ts';
import type { Signature } from '../signature/signature-scheme.ts';
import { describeDetected } from './detect.ts';

/** What `listen` found out about a delivery. */
export interface Verdict {
  /** Whether the signature is right. */
  readonly genuine: boolean;
  /** The status of the response, unless the delivery is forwarded. */
  readonly status: number;
  /** The lines to print. */
  readonly lines: readonly string[];
}

/** Examines a delivery. */
export type Inspect = (body: Uint8Array, headers: IncomingHttpHeaders) => Promise<Verdict>;

/** Describes a failure, which may be one of the delivery or of this machine. */
export const verdictOf = (error: unknown, genuine = false): Verdict => {
  const { status, code } = error instanceof WebhookError ? error : { status: 500, code: 'FAILED' };
  const message = error instanceof Error ? error.message : error;
  return { genuine, status, lines: [`${status} ${code}: ${message}`] };
};

/** Verifies each delivery and reads its event. */
export const createVerifying = (secret: string, signature: Signature): Inspect => {
  const webhooks = createWebhooks({ secret, signature });
  return async (body, headers) => {
    let genuine = false;
    try {
      await webhooks.verify(body, headers);
      genuine = true;
      const { event, data } = await webhooks.unwrap(body, headers);
      return { genuine, status: 200, lines: [`200 ${event} ${JSON.stringify(data)}`] };
    } catch (error) {
      return verdictOf(error, genuine);
    }
  };
};

/** Searches each delivery for its signature. */
export const createDetecting = (secret: string): Inspect => {
  // Refuses an invalid secret now, instead of at the first delivery.
  secretBytes(secret);
  return async (body, headers) => {
    const detected = await detectSignature({ headers, body, secret });
    return { genuine: detected.found, status: detected.found ? 200 : 401, lines: describeDetected(detected) };
  };
};
