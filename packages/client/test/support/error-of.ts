import { expect } from 'vitest';

/** What a call rejects with, as an instance of the class that it should be. */
export const errorOf = async <E>(
  call: PromiseLike<unknown>,
  type: abstract new (...args: never) => E,
): Promise<E> => {
  const reason = await Promise.resolve(call).then(
    (value) => {
      throw new Error(`It resolved, with ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
  expect(reason).toBeInstanceOf(type);
  return reason as E;
};
