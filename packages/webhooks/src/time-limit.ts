import { NOT_RUN, runUserCode, WebhookError } from './errors.ts';

/**
 * Waits until a promise has settled, at most for the given milliseconds. Resolves to whether it did.
 */
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
 * Waits for a result, at most for the given milliseconds.
 *
 * @param error Returns the error to throw if it takes too long.
 * @param late Undoes a success that comes too late: nothing waits for it any longer.
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

/** Milliseconds that the sender waits for what must be known before the handlers run. */
const LIMIT_MS = 5_000;

/**
 * Runs a function that the user has passed, and on which the handlers depend.
 *
 * @param part The name of the function, for the message.
 * @param late Undoes what succeeds too late.
 * @throws {@link WebhookError} When it fails or takes longer than 5 seconds, with `code: 'RECEIVER_FAILED'`.
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
