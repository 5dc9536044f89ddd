/**
 * How the tools that stand in for a network say that a test did not foresee a request (undici, nock, fetch-mock, msw), and
 * how runtimes say that a program is wrong. A line is the name, code or message of an error or of one of its causes.
 */
const FINAL =
  /^(?:MockNotMatchedError|NetConnectNotAllowedError|ERR_NOCK_NO_MATCH$|fetch-mock: No |\[MSW\] |ReferenceError$|bad port$)|is not a function$/m;

/** How deep causes of causes are followed. */
const DEPTH = 3;

/** True for what a `fetch` rejects with when the same request would fail in the same way again: no network was involved. */
export const isFinalFailure = (error: unknown, depth = DEPTH): boolean => {
  if (typeof error !== 'object' || error === null || depth === 0) {
    return false;
  }
  const { name, code, message, cause } = error as Record<string, unknown>;
  return FINAL.test(`${name}\n${code}\n${message}`) || isFinalFailure(cause, depth - 1);
};
