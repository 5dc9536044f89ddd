/**
 * The mock uses msw, which reads cookies from `localStorage` when it is loaded. Workers have no `localStorage`, so this one
 * is empty and stores nothing.
 */
const empty: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> = {
  getItem: () => null,
  setItem: () => undefined,
  removeItem: () => undefined,
};
Object.defineProperty(globalThis, 'localStorage', { value: empty, configurable: true });

export {};
