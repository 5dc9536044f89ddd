import { isLoopback } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';

/**
 * Checks a base URL and returns it without a slash at its end, for operation paths to be appended to.
 *
 * @param allowHttp Accepts http beyond loopback too.
 * @throws {@link ConfigurationError} When the URL is missing, invalid or unsafe.
 */
export const parseBaseUrl = (value: string | URL | undefined, allowHttp = false): string => {
  if (value === undefined || value === '') {
    throw new ConfigurationError('No base URL. Pass `baseUrl`, or set CONFAB_BASE_URL.');
  }
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined) {
    throw new ConfigurationError(
      // The value is not shown: if the user swapped two variables, it is the API key.
      `\`baseUrl\` must be a URL such as https://api.example.com, got ${/^https?:/.test(String(value)) ? 'an invalid one' : 'text that does not begin with https://'}.`,
    );
  }
  // Checked first because the messages below show the URL.
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      '`baseUrl` must not contain a user name or password. Pass the key as `apiKey`.',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (allowHttp || isLoopback(url.hostname)))) {
    throw new ConfigurationError(
      `\`baseUrl\` must use https, or http on loopback, because the key would be sent unencrypted, got ${url.protocol}//${url.host}.`,
    );
  }
  // `url.search` and `url.hash` are empty after a bare ? or #, but paths cannot be appended after one.
  if (/[?#]/.test(url.href)) {
    throw new ConfigurationError('`baseUrl` must not contain `?` or `#`. Paths are appended to it.');
  }
  return url.href.replace(/\/+$/, '');
};
