import { oneLine } from './one-line.ts';
import type { Redact } from './redact.ts';

/** How deep causes of causes are followed: undici nests two. */
const DEPTH = 3;

/** Characters of each text that are kept. */
const LONGEST = 1_000;

/**
 * Copies of an error what helps to find the fault: name, message, code and cause, with the key removed.
 *
 * The error itself is never attached to ours: a user's `fetch`, made of ky or axios, throws errors that carry the
 * request, key included, and a runtime's may quote a header.
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
