import { asWebhookError } from './as-webhook-error.ts';

/** Runs a part of the user's own code, and names it in the error if it fails. */
export const naming = async <Result>(
  what: string,
  run: () => Result | Promise<Result>,
): Promise<Awaited<Result>> => {
  try {
    return await run();
  } catch (error) {
    throw asWebhookError(error, what);
  }
};
