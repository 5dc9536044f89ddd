import { RETRY, WebhookError } from './webhook-error.ts';

/**
 * Runs a part of the user's own code. An error that is not a `WebhookError` becomes the cause of one.
 *
 * @param part The name of the part, for the message.
 * @throws {@link WebhookError} When the part throws or rejects, with `code: 'HANDLER_FAILED'`.
 */
export const naming = async <Result>(
  part: string,
  run: () => Result | Promise<Result>,
): Promise<Awaited<Result>> => {
  try {
    return await run();
  } catch (cause) {
    throw cause instanceof WebhookError
      ? cause
      : new WebhookError('HANDLER_FAILED', `${part} failed; see the cause. ${RETRY}`, { cause });
  }
};
