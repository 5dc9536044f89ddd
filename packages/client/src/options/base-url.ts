import { isLoopback } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';

/** Checks a base URL and gives the text that operation paths are appended to. */
export const parseBaseUrl = (value: string | URL | undefined): string => {
  if (value === undefined || value === '') {
    throw new ConfigurationError(
      'No base URL. Pass `baseUrl` to createClient, or set the environment variable CONFAB_BASE_URL.',
    );
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) {
    throw new ConfigurationError(
      // Not the value: with two variables mixed up it is the key.
      `\`baseUrl\` is not a URL (it has ${String(value).length} characters). Example: https://api.example.com`,
    );
  }
  // Checked first: the messages below show the URL.
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      '`baseUrl` must not hold a user name or password. Pass the key as `apiKey`.',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw new ConfigurationError(
      `\`baseUrl\` must use https, or http on loopback, not ${url.protocol}//${url.host}: the key would travel in the clear.`,
    );
  }
  // Not `url.search` and `url.hash`: those of a bare ? or # are empty, and a path after it would be no path.
  if (/[?#]/.test(url.href)) {
    throw new ConfigurationError('`baseUrl` must not contain `?` or `#`: paths are appended to it.');
  }
  return url.href.replace(/\/+$/, '');
};
