import { oneLine } from './one-line.ts';
import type { Redact } from './redact.ts';

/** Maximum depth of causes to copy: undici nests two. */
const DEPTH = 3;

/** Characters of each text to keep. */
const LONGEST = 1_000;

/**
 * Copies the name, message, code and cause of an error, with the key removed.
 *
 * The error itself is never attached to our own: a user's `fetch` that wraps ky or axios throws errors with the
 * request inside, key included, and a runtime's error may quote a header.
 */
export const safeCause = (error: unknown, redact: Redact, depth = DEPTH): Error | undefined => {
  if (!(error instanceof Error) || depth === 0) {
    return undefined;
  }
  const safe = (text: unknown) => oneLine(redact(String(text), LONGEST));
  const cause = safeCause(error.cause, redact, depth - 1);
  const copy = new Error(safe(error.message), cause === undefined ? {} : { cause });
  copy.name = safe(error.name);
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? Object.assign(copy, { code: safe(code) }) : copy;
};
