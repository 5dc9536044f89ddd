import { signal } from '@preact/signals';

const read = (): readonly string[] => {
  // Anybody can type the fragment of an address, which may be malformed.
  const parts = location.hash.replace(/^#\/?/, '').split('/');
  return parts.filter((part) => part !== '' && !part.includes('%'));
};

/** The parts of the address after `#/`: the view, and the item that is open in it. */
export const route = signal<readonly string[]>([]);

/** Follows the address from now on. */
export const followAddress = (): void => {
  route.value = read();
  addEventListener('hashchange', () => {
    route.value = read();
  });
};

/** The address of a view. */
export const linkTo = (...parts: readonly string[]): string => `#/${parts.join('/')}`;

/** Opens a view. */
export const goTo = (...parts: readonly string[]): void => {
  location.hash = linkTo(...parts);
};
