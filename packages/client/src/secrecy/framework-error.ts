import type { Redact } from './redact.ts';

/**
 * Returns true for an error that a framework throws as control flow, as Next.js does to render a page for each request. It
 * has a `digest`, and the framework must get the same object back. Errors that quote a key are excluded.
 */
export const isForFramework = (error: unknown, redact: Redact = (text) => text): boolean => {
  try {
    const { digest, message } = Object(error);
    const text = `${digest} ${message}`;
    return typeof digest === 'string' && redact(text) === text;
  } catch {
    // A getter of a hostile error has thrown.
    return false;
  }
};

/** Throws the error again if a framework uses it for control flow. */
export const rethrowForFramework = (error: unknown, redact?: Redact): void => {
  if (isForFramework(error, redact)) {
    throw error;
  }
};
