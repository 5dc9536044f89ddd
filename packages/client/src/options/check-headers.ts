import { CONNECTION_HEADERS } from '@confab/internal';
import { ConfigurationError } from '../errors/index.ts';
import { must } from './check-values.ts';

/**
 * Checks the `headers` option and returns it with names in lower case.
 *
 * @param reserved The header that carries the API key.
 * @throws {@link ConfigurationError} When a name or value is invalid, or the reserved header is set.
 */
export const checkHeaders = (
  headers: Readonly<Record<string, string>>,
  reserved: string,
): Readonly<Record<string, string>> => {
  // `Headers` would accept undefined, which a function without its `return` returns.
  must((given) => typeof given === 'object' && given !== null, 'an object of names and values')(
    'headers',
    headers,
  );
  for (const [name, value] of Object.entries(headers)) {
    // `Headers` would send `undefined` as a text.
    must((given) => typeof given !== 'undefined' && given !== null, 'a string')(`headers.${name}`, value);
  }
  let checked: Headers;
  try {
    checked = new Headers(headers as Record<string, string>);
  } catch {
    // The runtime's own message is dropped because it quotes the value.
    throw new ConfigurationError('`headers` contains an invalid HTTP header name or value.');
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
