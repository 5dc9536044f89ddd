/**
 * Creates a reason to abort something with. It is not a DOMException because these errors are created once, when the
 * package is imported, and some runtimes that import it have no DOMException.
 */
export const createAbortError = (message: string): Error =>
  Object.assign(new Error(message), { name: 'AbortError' });
