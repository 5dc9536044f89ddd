import type { Paint } from './paint.ts';
import type { Flags } from './parse-flags.ts';
import { start } from './start.ts';
import { startForward } from './start-forward.ts';

type Print = (text: string) => void;

/**
 * Starts what the flags ask for: a mock, or a proxy in front of a real service. Resolves to a function that stops it.
 *
 * @param warn Called with problems that occur meanwhile.
 * @param paint Colors the log of requests.
 * @throws {@link UsageError} When a flag or file is invalid, or the port is in use.
 */
export const startCommand = (
  flags: Flags,
  print: Print,
  warn?: Print,
  paint?: Paint,
): Promise<() => Promise<void>> =>
  flags.forward === undefined
    ? start(flags, print, warn, paint)
    : startForward({ ...flags, forward: flags.forward }, print, warn, paint);
