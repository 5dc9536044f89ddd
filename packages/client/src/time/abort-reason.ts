/**
 * A reason to abort something with. No DOMException: these are made once, when the package is imported, and not every
 * runtime that imports it has one.
 */
export const abortReason = (message: string): Error =>
  Object.assign(new Error(message), { name: 'AbortError' });
