import { WebhookError } from '../errors/webhook-error.ts';

/** Enough for dozens of signatures, while senders use one or two. */
const MAX_LENGTH = 4096;

/**
 * Refuses a header that is too long to be a list of signatures.
 *
 * @throws {@link WebhookError} When it is, with `code: 'MALFORMED_SIGNATURE'`.
 */
export const checkHeaderLength = (value: string, header: string): void => {
  if (value.length > MAX_LENGTH) {
    throw new WebhookError(
      'MALFORMED_SIGNATURE',
      `The "${header}" header must be at most ${MAX_LENGTH} characters, got ${value.length}.`,
    );
  }
};

/** The error for a header that lists no signature of the scheme. */
export const noSignature = (header: string, expected: string): WebhookError =>
  new WebhookError(
    'MALFORMED_SIGNATURE',
    `The "${header}" header must contain ${expected}. Does the sender use another scheme?`,
  );
