import { isError, oneLine } from '@confab/internal';
import type { Redact } from './redact.ts';

/** Maximum depth of causes to copy: undici nests two. */
const MAX_DEPTH = 3;

/** Characters of each text to keep. */
const MAX_TEXT = 1_000;

/**
 * Returns the last error of a chain of causes, which names the problem: undici reports `fetch failed`, and its cause says
 * why.
 */
export const innermost = (error: Error): Error => (isError(error.cause) ? innermost(error.cause) : error);

/** Returns the message of an error and that of its innermost cause. */
export const describeCause = (error: Error | undefined): string => {
  const messages = error ? [error.message, innermost(error).message] : [];
  return [...new Set(messages)].filter(Boolean).join(': ') || 'unknown error';
};

/** Errors of an AggregateError to name. */
const MAX_ERRORS = 3;

/** Describes an error without a message, as Node reports a refused connection to `localhost`, with an error per address. */
const joinMessages = (error: Error): string => {
  const errors: unknown = Reflect.get(error, 'errors');
  return Array.isArray(errors)
    ? errors
        .slice(0, MAX_ERRORS)
        .flatMap((each) => (isError(each) ? [each.message] : []))
        .join(', ')
    : String(Reflect.get(error, 'code') ?? '');
};

/**
 * Copies the name, message, code and cause of an error, with the key removed.
 *
 * Errors of the client never have the original error as their cause: a user's `fetch` that wraps ky or axios throws errors
 * that contain the request and the key, and a runtime's error may quote a header.
 */
export const safeCause = (error: unknown, redact: Redact, depth = MAX_DEPTH): Error | undefined => {
  try {
    if (!isError(error) || depth === 0) {
      return undefined;
    }
    const safe = (text: unknown) => oneLine(redact(String(text), MAX_TEXT));
    const cause = safeCause(error.cause, redact, depth - 1);
    const copy = new Error(safe(error.message || joinMessages(error)), cause === undefined ? {} : { cause });
    copy.name = safe(error.name);
    const code: unknown = Reflect.get(error, 'code');
    return typeof code === 'string' ? Object.assign(copy, { code: safe(code) }) : copy;
  } catch {
    // A getter of a hostile error has thrown.
  }
  return undefined;
};
