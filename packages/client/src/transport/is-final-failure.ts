/**
 * Errors of tools that replace the network in tests and did not expect a request (undici, nock, fetch-mock, msw), and
 * errors that a runtime throws for a bug. A line is the name, code or message of an error or of one of its causes.
 */
const FINAL =
  /^(?:MockNotMatchedError|NetConnectNotAllowedError|ERR_NOCK_NO_MATCH$|fetch-mock: No |\[MSW\] |ReferenceError$|bad port$)|is not a function$/m;

/** Maximum depth of causes to follow. */
const DEPTH = 3;

/** Returns true when a `fetch` that rejected with this error would reject in the same way again: no network was involved. */
export const isFinalFailure = (error: unknown, depth = DEPTH): boolean => {
  if (typeof error !== 'object' || error === null || depth === 0) {
    return false;
  }
  try {
    const { name, code, message, cause } = error as Record<string, unknown>;
    return FINAL.test(`${name}\n${code}\n${message}`) || isFinalFailure(cause, depth - 1);
  } catch {
    // A getter of a hostile error has thrown.
    return false;
  }
};
