/** The hooks of an instance that can end an attempt by throwing. `beforeRetry` hooks never run. */
export type Phase = 'init' | 'beforeRequest' | 'afterResponse' | 'beforeError';

/** Characters of a thrown text to quote. */
const LONGEST = 200;

const show = (value: unknown): string => {
  if (typeof value === 'string') {
    return JSON.stringify(value.slice(0, LONGEST));
  }
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
    ? `a value of type ${typeof value}`
    : String(value);
};

/** Returns what was thrown as an error: only errors can be the cause of another. */
export const asError = (thrown: unknown): Error => {
  if (thrown instanceof Error) {
    return thrown;
  }
  try {
    const message: unknown = Object(thrown).message;
    if (typeof message === 'string') {
      return new Error(message);
    }
  } catch {
    // A getter of a hostile value has thrown.
  }
  return new Error(`it threw ${show(thrown)}, which is not an Error`);
};

/** Names the part of the instance that failed. */
export const nameOf = (phase: Phase | undefined): string =>
  phase === undefined
    ? 'the ky instance'
    : `${/^[aeiou]/.test(phase) ? 'an' : 'a'} \`${phase}\` hook of the ky instance`;

/** Copies an error that a `beforeError` hook threw. The copy says so, because the message would hide the lost connection. */
export const thrownByBeforeError = (thrown: unknown): Error => {
  const { name, message, cause, code } = asError(thrown) as Error & { readonly code?: unknown };
  const copy = new Error(`${nameOf('beforeError')} failed: ${message}`, { cause });
  return Object.assign(copy, { name, code });
};

/** Wraps hooks so that `note` is called when one of them throws. */
export const watchHooks = <State, Result>(
  hooks: readonly ((state: State) => Result | Promise<Result>)[] | undefined,
  note: () => void,
): ((state: State) => Promise<Result>)[] =>
  (hooks ?? []).map((hook) => async (state) => {
    try {
      return await hook(state);
    } catch (error) {
      note();
      throw error;
    }
  });
