import { signal } from '@preact/signals';

const read = (): readonly string[] => {
  // The fragment of an address is typed by anybody, and may be malformed.
  const parts = location.hash.replace(/^#\/?/, '').split('/');
  return parts.filter((part) => part !== '' && !part.includes('%'));
};

/** The parts of the address behind `#/`: the view, and what is open in it. */
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
