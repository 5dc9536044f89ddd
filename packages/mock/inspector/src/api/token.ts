import { signal } from '@preact/signals';

const NAME = 'confab-mock-admin-token';

/** The admin token; `undefined` for a server that needs none. */
export const adminToken = signal<string | undefined>(undefined);

/** Whether the server has refused the requests of this page for want of a token. */
export const locked = signal(false);

/** Uses a token from now on, until the tab is closed. */
export const setToken = (token: string): void => {
  sessionStorage.setItem(NAME, token);
  adminToken.value = token;
  locked.value = false;
};

/** Reads the token of this tab, or of the address, where it would be bookmarked. */
export const loadToken = (): void => {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given === null) {
    adminToken.value = sessionStorage.getItem(NAME) ?? undefined;
  } else {
    history.replaceState(null, '', location.pathname + location.search);
    setToken(given);
  }
};
