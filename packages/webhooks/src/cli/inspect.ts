import type { IncomingHttpHeaders } from 'node:http';
import { decodeBody } from '../body.ts';
import { createWebhooks } from '../create-webhooks.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookError } from '../errors.ts';
import { parseEvent, schemasOf, validateEvent } from '../event.ts';
import type { Signature } from '../signature/plain.ts';
import type { Secret } from '../signature/secret.ts';
import { secretBytes } from '../signature/secret.ts';
import { describeDetected } from './detect.ts';
import { messageOf } from './message-of.ts';

/** What `listen` found out about a delivery. */
export interface Verdict {
  /** Whether the signature is right. */
  readonly genuine: boolean;
  /** The status of the response, unless the delivery is forwarded. */
  readonly status: number;
  /** The reason of a refusal, for the body of the response. */
  readonly code?: string | undefined;
  /** The lines to print first. */
  readonly notes?: readonly string[] | undefined;
  /** The line to print after the status that the sender gets. */
  readonly summary?: string | undefined;
}

/** Examines a delivery. */
export type Inspect = (body: Uint8Array, headers: IncomingHttpHeaders) => Promise<Verdict>;

/** Describes a failure, which may be one of the delivery or of this machine. */
export const verdictOf = (error: unknown, genuine = false): Verdict => {
  const { status, code } = error instanceof WebhookError ? error : { status: 500, code: 'FAILED' };
  return { genuine, status, code, summary: `${code}: ${messageOf(error)}` };
};

/** Reads the event of a genuine delivery. */
const verdictOfEvent = async (body: Uint8Array): Promise<Verdict> => {
  try {
    const { event, data } = await validateEvent(parseEvent(decodeBody(new Uint8Array(body))), schemasOf({}));
    return { genuine: true, status: 200, summary: `${event} ${JSON.stringify(data)}` };
  } catch (error) {
    return verdictOf(error, true);
  }
};

/** Verifies each delivery and reads its event. */
export const createVerifying = (secret: Secret, signature: Signature): Inspect => {
  const webhooks = createWebhooks({ secret, signature });
  return async (body, headers) => {
    try {
      await webhooks.verify(body, headers);
    } catch (error) {
      return verdictOf(error);
    }
    return verdictOfEvent(body);
  };
};

/** Searches each delivery for its signature. */
export const createDetecting = (secret: Secret): Inspect => {
  // Refuses an invalid secret now, instead of at the first delivery.
  secretBytes(secret);
  return async (body, headers) => {
    const detected = await detectSignature({ headers, body, secret });
    const notes = describeDetected(detected);
    if (!detected.found) {
      return { genuine: false, status: 401, code: 'SIGNATURE_NOT_FOUND', notes };
    }
    return { ...(await verdictOfEvent(body)), notes };
  };
};
