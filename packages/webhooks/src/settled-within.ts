import { NOT_RUN, runUserCode, WebhookError } from './errors.ts';

/**
 * Waits until a promise has settled, at most for the given milliseconds. Resolves to whether it did. The promise must never
 * reject.
 */
export const settledWithin = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, false);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });

/**
 * Waits for a claim, at most for the given milliseconds.
 *
 * @param error Returns the error to throw if it takes too long.
 * @param release Releases the claim if it succeeds after all: by then, nothing runs under it.
 */
export const claimWithin = async <State>(
  milliseconds: number,
  claiming: Promise<State>,
  error: () => Error,
  release?: () => unknown,
): Promise<State> => {
  const ended = claiming.catch(() => {});
  if (await settledWithin(milliseconds, ended)) {
    return claiming;
  }
  ended.then((state) => (state === 'claimed' ? release?.() : undefined)).catch(() => {});
  throw error();
};

/** Milliseconds that the sender waits for what must be known before the handlers run. */
const LIMIT_MS = 5_000;

/**
 * Runs a function that the user has passed, and on which the handlers depend.
 *
 * @param part The name of the function, for the message.
 * @param release Undoes a claim that succeeds too late.
 * @throws {@link WebhookError} When it fails or takes longer than 5 seconds, with `code: 'RECEIVER_FAILED'`.
 */
export const runInTime = <Result>(
  part: string,
  run: () => Result | Promise<Result>,
  release?: () => unknown,
): Promise<Awaited<Result>> =>
  runUserCode(part, () =>
    claimWithin(
      LIMIT_MS,
      (async () => await run())(),
      () => new WebhookError('RECEIVER_FAILED', `${part} took longer than ${LIMIT_MS} ms. ${NOT_RUN}`),
      release,
    ),
  );
