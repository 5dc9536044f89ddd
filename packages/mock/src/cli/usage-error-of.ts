import { listenProblem } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { MockError } from '../errors/mock-error.ts';
import type { Flags } from './parse-flags.ts';

/** Turns an error of a server that cannot start into one that names the flags; returns any other error as it is. */
export const usageErrorOf = (error: unknown, flags: Flags): unknown => {
  if (!(error instanceof MockError)) {
    return error;
  }
  if (error.code === 'CANNOT_LISTEN') {
    return new UsageError(listenProblem(error.cause, flags, { port: '--port', host: '--host' }));
  }
  // It says what is wrong with the certificate.
  return new UsageError(error.message.replace('`tls`', '--tls-cert and --tls-key'));
};
