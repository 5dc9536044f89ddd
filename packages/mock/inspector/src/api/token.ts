import { signal } from '@preact/signals';

const NAME = 'confab-mock-admin-token';

/** The admin token; `undefined` for a server that needs none. */
export const adminToken = signal<string | undefined>(undefined);

/** Whether the server has refused a request of this page because of its token. */
export const locked = signal(false);

/** Uses a token from now on, until the tab is closed. */
export const setToken = (token: string): void => {
  sessionStorage.setItem(NAME, token);
  adminToken.value = token;
  locked.value = false;
};

/** Reads the token of this tab, or from the address, and removes it from there, so that no bookmark contains it. */
export const loadToken = (): void => {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) {
    adminToken.value = sessionStorage.getItem(NAME) ?? undefined;
  } else {
    history.replaceState(null, '', location.pathname + location.search);
    setToken(token);
  }
};
