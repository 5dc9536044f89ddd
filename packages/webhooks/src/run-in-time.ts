import { NOT_RUN, runUserCode, WebhookError } from './errors.ts';

/** Waits until a promise settles, up to a number of milliseconds, and resolves to whether it settled. */
export const settlesWithin = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    work.then(settle, settle);
  });

/**
 * Waits for a result, up to a number of milliseconds.
 *
 * @param error Returns the error to throw if it takes too long.
 * @param late Undoes a success that comes too late, when nobody waits for it any longer.
 */
export const withTimeLimit = async <Result>(
  milliseconds: number,
  work: Promise<Result>,
  error: () => Error,
  late?: (result: Result) => unknown,
): Promise<Result> => {
  if (await settlesWithin(milliseconds, work)) {
    return work;
  }
  work.then(late).catch(() => {});
  throw error();
};

/** How long a delivery waits for a secret or for a claim, in milliseconds. */
const LIMIT_MS = 5_000;

/**
 * Runs a user's function that must succeed before the handlers run.
 *
 * @param part The name of the function, for the message.
 * @param late Undoes a success that comes too late.
 * @throws A {@link WebhookError} when the function fails or takes longer than 5 seconds, with
 * `code: 'RECEIVER_FAILED'`.
 */
export const runUserCodeInTime = <Result>(
  part: string,
  run: () => Result | Promise<Result>,
  late?: (result: Awaited<Result>) => unknown,
): Promise<Awaited<Result>> =>
  runUserCode(part, () =>
    withTimeLimit(
      LIMIT_MS,
      (async (): Promise<Awaited<Result>> => await run())(),
      () => new WebhookError('RECEIVER_FAILED', `${part} took longer than ${LIMIT_MS} ms. ${NOT_RUN}`),
      late,
    ),
  );
