import { decodeBody } from '../bytes/decode-body.ts';
import { checkContentLength, readBody } from '../bytes/read-body.ts';
import type { Bytes } from '../bytes/to-bytes.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import type { EventParser } from '../events/parse-event.ts';
import { headerValues, toHeaders } from '../signature/headers.ts';
import type { Verifier } from '../signature/verify.ts';
import { type Answer, answer } from './answer.ts';
import type { Handlers } from './handlers.ts';

/** A request as an adapter hands it over. */
export interface IncomingRequest {
  readonly method: string;
  /** `Headers`, a record or pairs. */
  readonly headers: unknown;
  /** Bytes, text, an async iterable of chunks (a stream), or null. Anything else is refused as `body_not_raw`. */
  readonly body: unknown;
  /** Passed on to the handlers. */
  readonly signal?: AbortSignal | undefined;
  /** How to get the raw body in this framework, for the message of `body_not_raw`. */
  readonly hint?: string;
}

/** What the receiver is put together from. */
export interface ReceiverParts {
  readonly maxBodyBytes: number;
  readonly verify: Verifier;
  readonly parse: EventParser['parse'];
  readonly handlers: Handlers;
}

const asWebhookError = (error: unknown): WebhookError =>
  error instanceof WebhookError
    ? error
    : new WebhookError('handler_failed', 'A function given to this receiver failed; see the cause.', {
        cause: error,
      });

/** Builds the whole way of a request, a step a line: bytes, signature, text, event, handlers, answer. */
export const createReceive = ({ maxBodyBytes, verify, parse, handlers }: ReceiverParts) => {
  const accept = async (request: IncomingRequest): Promise<Answer> => {
    checkContentLength(headerValues(request.headers, 'content-length')[0], maxBodyBytes);
    const body: Bytes = await readBody(request.body, { maxBodyBytes, hint: request.hint });
    const { secretIndex } = await verify(body, request.headers);
    const event = await parse(decodeBody(body));
    const { signal = new AbortController().signal } = request;
    await handlers.run(event, { secretIndex, headers: toHeaders(request.headers), body, signal });
    return answer(200, { ok: true });
  };

  return async (request: IncomingRequest): Promise<Answer> => {
    if (request.method !== 'POST') return answer(405, { error: 'method_not_allowed' }, { allow: 'POST' });
    try {
      return await accept(request);
    } catch (thrown) {
      const error = asWebhookError(thrown);
      await handlers.report(error, toHeaders(request.headers));
      return answer(error.status, { error: error.code });
    }
  };
};
