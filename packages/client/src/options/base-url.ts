import { isLoopback, typeName } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import { checkVariable } from '../secrecy/key.ts';
import type { Redact } from '../secrecy/redact.ts';

/** Removes `/api/v2/public` and slashes from the end of a base URL, because the paths of operations begin with them. */
const trimBaseUrl = (url: string): string => url.replace(/(\/api\/v2\/public)?\/*$/, '');

/** `URL.parse` is missing from browsers before 2024. */
const parseUrl = (value: string | URL): URL | undefined => {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
};

/**
 * Checks a base URL and removes the end that operation paths begin with.
 *
 * @param allowHttp Accepts http beyond loopback too.
 * @throws A {@link ConfigurationError} when the URL is missing, invalid or unsafe.
 */
export const parseBaseUrl = (value: string | URL | undefined, redact: Redact, allowHttp = false): string => {
  if (value === undefined || value === '') {
    throw new ConfigurationError('No base URL. Pass `baseUrl`, or set CONFAB_BASE_URL.');
  }
  const text = String(value);
  checkVariable('The base URL', text);
  const url = parseUrl(value);
  // In `localhost:4010`, the host looks like a scheme.
  if (url === undefined || !/^https?:|:\/\//i.test(text)) {
    const [, origin = '', host = ''] = /^(([\w.-]+|\[[\da-f:]+\])(?::\d+)?)(?:\/|$)/i.exec(text) ?? [];
    throw new ConfigurationError(
      isLoopback(host)
        ? `\`baseUrl\` has no scheme: did you mean http://${redact(origin)}?`
        : // The value is not shown: if the user swapped two variables, it is the API key.
          `\`baseUrl\` must be a URL such as https://api.example.com or http://localhost:4010${typeof value === 'string' ? '' : `, got ${typeName(value)}`}.`,
    );
  }
  // This check comes first because the messages below show the URL.
  if (url.username !== '' || url.password !== '') {
    throw new ConfigurationError(
      '`baseUrl` must not contain a user name or password. Pass the key as `apiKey`.',
    );
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (allowHttp || isLoopback(url.hostname)))) {
    throw new ConfigurationError(
      `\`baseUrl\` must use https (or http on loopback), got ${redact(`${url.protocol}//${url.host}`)}. Otherwise, the API key would be sent unencrypted.`,
    );
  }
  // `url.search` and `url.hash` are empty after a bare ? or #, but paths cannot be appended after one.
  if (/[?#]/.test(url.href)) {
    throw new ConfigurationError('`baseUrl` must not contain `?` or `#`. Paths are appended to it.');
  }
  return trimBaseUrl(url.href);
};
