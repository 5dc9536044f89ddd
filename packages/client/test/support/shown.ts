import { inspect } from 'node:util';

/** Everything that a debugger, a log line or an error tracker could show of a value. */
export const shown = (value: unknown): string => {
  const errors: string[] = [];
  for (let error = value; error instanceof Error; error = error.cause) {
    errors.push(
      String(error),
      error.message,
      error.stack ?? '',
      JSON.stringify(error, Object.getOwnPropertyNames(error)),
    );
  }
  return [
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, getters: true }),
    JSON.stringify(value),
    ...errors,
  ].join('\n');
};
