import { signal } from '@preact/signals';

const NAME = 'confab-mock-admin-token';

/** Moves a token from the address into the storage of this tab, so that it is neither bookmarked nor sent as a referrer. */
const tokenInAddress = (): string | undefined => {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (token === null) {
    return undefined;
  }
  history.replaceState(null, '', location.pathname + location.search);
  return token;
};

const stored = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined;

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

/** Reads the token of the address, or of this tab. */
export const loadToken = (): void => {
  const given = tokenInAddress();
  if (given === undefined) {
    adminToken.value = stored();
  } else {
    setToken(given);
  }
};
