/** Returns true in the window of a browser, but not in its workers. */
export const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;
