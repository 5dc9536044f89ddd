import { CONNECTION_HEADERS } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import { must } from './check-values.ts';
import type { HeaderValues } from './client-options.ts';
import { isObject } from './is-object.ts';

/**
 * Checks the `headers` option and returns it with names in lower case and without headers that are undefined.
 *
 * @param reserved The header that carries the API key.
 * @throws {@link ConfigurationError} When a name or value is invalid, or the reserved header is set.
 */
export const checkHeaders = (headers: HeaderValues, reserved: string): Readonly<Record<string, string>> => {
  // `Headers` would accept undefined, which a function without its `return` returns.
  must(isObject, 'an object of names and values')('headers', headers);
  let checked: Headers;
  try {
    checked = new Headers(headers as Record<string, string>);
  } catch {
    // The runtime's own message is dropped because it quotes the value.
    throw new ConfigurationError('`headers` contains an invalid HTTP header name or value.');
  }
  for (const [name, value] of Object.entries(headers)) {
    // `Headers` has turned both into texts.
    must((given) => given !== null, 'a string')(`headers.${name}`, value);
    if (value === undefined) {
      checked.delete(name);
    }
  }
  for (const name of CONNECTION_HEADERS) {
    if (checked.has(name)) {
      throw new ConfigurationError(`\`headers\` must not contain ${name}, because the runtime sets it.`);
    }
  }
  if (checked.has(reserved)) {
    throw new ConfigurationError(`\`headers\` must not contain ${reserved}. Pass the key as \`apiKey\`.`);
  }
  return Object.fromEntries(checked);
};
