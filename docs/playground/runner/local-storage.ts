/**
 * msw, which the mock brings its handlers with, reads stored cookies from `localStorage` when it is loaded. Workers have
 * none, so this one is empty and keeps nothing.
 */
const empty: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};
Object.defineProperty(globalThis, 'localStorage', { value: empty, configurable: true });

export {};
