import { invalidArgument } from '../errors/invalid-argument.ts';

/**
 * Writes what is sent to a server.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is or contains a function, which JSON would leave out silently.
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (name, part: unknown) => {
    if (typeof part === 'function') {
      throw invalidArgument(
        `A remote mock can't be sent a function${name === '' ? '' : `, but \`${name}\` is one`}. Pass plain values, or control the mock in its own process.`,
      );
    }
    return part;
  });
