import { expect, test, vi } from 'vitest';
import { ConfigurationError, createClient } from '../src/index.ts';
import { parseBaseUrl } from '../src/options/base-url.ts';
import { KEY } from './support/data.ts';

const refusalOf = (baseUrl: string | undefined): string => {
  vi.stubEnv('CONFAB_BASE_URL', undefined);
  try {
    createClient({ baseUrl, apiKey: KEY });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigurationError);
    return (error as ConfigurationError).message;
  } finally {
    vi.unstubAllEnvs();
  }
  return 'accepted';
};

test.each<[baseUrl: string | undefined, message: string]>([
  [undefined, 'No base URL. Pass `baseUrl`, or set CONFAB_BASE_URL.'],
  ['', 'No base URL. Pass `baseUrl`, or set CONFAB_BASE_URL.'],
  ['https://', 'got an invalid one.'],
  ['http://', 'got an invalid one.'],
  ['confab_live_https://', 'got text that does not begin with https://.'],
  ['https://user@api.test', 'must not contain a user name or password.'],
  ['https://:word@api.test', 'must not contain a user name or password.'],
])('a base URL of %j is refused, and the message says why', (baseUrl, message) => {
  expect(refusalOf(baseUrl)).toContain(message);
});

test.each([
  ['https://api.test', 'https://api.test'],
  ['https://api.test/', 'https://api.test'],
  ['https://api.test/v1//', 'https://api.test/v1'],
])('%s is stored as %s', (baseUrl, stored) => {
  expect(parseBaseUrl(baseUrl)).toBe(stored);
});
