import { CONNECTION_HEADERS, typeName } from '@confab/internal';
import { invalidArgument } from '../../errors/invalid-argument.ts';

const isHeader = (name: string, value: string): boolean => {
  try {
    new Headers([[name, value]]);
    return true;
  } catch {
    return false;
  }
};

const checkName = (what: string, name: string): void => {
  if (!isHeader(name, '')) {
    throw invalidArgument(`${what} must be the name of a header, got ${JSON.stringify(name)}`);
  }
  if (CONNECTION_HEADERS.includes(name.toLowerCase())) {
    throw invalidArgument(
      `${what} must not be ${JSON.stringify(name)}, because only the connection can set that header`,
    );
  }
};

/**
 * Checks the headers of an endpoint, and returns them with names in lower case.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a name or a value is invalid.
 */
export const checkHeaders = (headers: unknown): Readonly<Record<string, string>> => {
  if (
    typeof headers !== 'object' ||
    headers === null ||
    Array.isArray(headers) ||
    headers instanceof Headers
  ) {
    const got = headers instanceof Headers ? 'a Headers object' : typeName(headers);
    throw invalidArgument(`The \`headers\` of an endpoint must be an object of names and values, got ${got}`);
  }
  const checked: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    checkName('Each name in the `headers` of an endpoint', name);
    // The value is not shown: it may be a token.
    if (typeof value !== 'string' || !isHeader(name, value)) {
      const got = typeof value === 'string' ? 'one with other characters' : typeName(value);
      throw invalidArgument(
        `The header \`${name}\` of an endpoint must be a string that a header can hold, got ${got}`,
      );
    }
    checked[name.toLowerCase()] = value;
  }
  return checked;
};

/** @throws {@link MockError} `INVALID_ARGUMENT`, when it is not the name of a header that deliveries can have. */
export const checkIdHeader = (name: unknown): void => {
  if (typeof name !== 'string') {
    throw invalidArgument(
      `The \`idHeader\` of an endpoint must be the name of a header, got ${typeName(name)}`,
    );
  }
  checkName('The `idHeader` of an endpoint', name);
};
