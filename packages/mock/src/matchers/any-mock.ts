import { invalidArgument } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import type { RemoteParts } from '../remote/remote-mock.ts';

/** A mock that the matchers inspect: one in this process, or a remote one from `connectMock()`. */
export type AnyMock = Mock | RemoteParts;

/** The result of an assertion: a promise if it is about a remote mock. */
export type Asserted<R, T> = T extends RemoteParts ? Promise<void> : R;

/**
 * Checks by its properties that a value is a mock: a test may have two copies of this package.
 *
 * @param need The start of the message: `toHaveReceived() needs expect(mock) with`.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is not a mock.
 */
export const toMock = (need: string, received: unknown): AnyMock => {
  const mock = received as Partial<AnyMock> | null | undefined;
  if (typeof mock?.requests?.of === 'function') {
    return mock as AnyMock;
  }
  throw invalidArgument(`${need} a mock that createMock() or \`await connectMock()\` returned.`);
};

/** Calls `next` with a value: at once, or when the promise of a remote mock is fulfilled. */
export const andThen = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  // Not by `instanceof`: a test may run in another realm.
  typeof value === 'object' && value !== null && 'then' in value ? value.then(next) : next(value as T);

/** Reads a value: a property of a local mock, a method of a remote one. */
export const read = <T>(member: T | (() => Promise<T>)): T | Promise<T> =>
  typeof member === 'function' ? (member as () => Promise<T>)() : member;
