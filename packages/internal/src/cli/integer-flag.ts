import { InvalidArgumentError } from 'commander';

/**
 * Reads the value of a flag as a whole number within bounds.
 *
 * @throws An {@link InvalidArgumentError} when the value is anything else. commander adds the name of the flag.
 * @example
 * ```ts
 * program.option('--port <n>', 'port to listen on', integerFlag(0, 65_535));
 * ```
 */
export const integerFlag =
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || value > max) {
      const bounds = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
      throw new InvalidArgumentError(`It must be a whole number ${bounds}.`);
    }
    return value;
  };
