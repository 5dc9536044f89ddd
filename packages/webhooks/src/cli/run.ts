import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { type Command, type ExitCode, type Io, UsageError } from './command.ts';
import { detect } from './detect.ts';
import { listen } from './listen.ts';
import { sign } from './sign.ts';
import { verify } from './verify.ts';

const COMMANDS = new Map<string | undefined, Command>([
  ['sign', sign],
  ['verify', verify],
  ['detect', detect],
  ['listen', listen],
]);

const USAGE = `confab-webhooks: sign, check and receive webhook deliveries

  confab-webhooks sign   --header NAME [signature flags] [--timestamp SECONDS] [FILE]
      prints the headers that sign the body
  confab-webhooks verify --header NAME [signature flags] -H "name: value"… [FILE]
      says whether a captured delivery is genuine
  confab-webhooks detect -H "name: value"… [FILE]
      finds where a captured delivery carries its signature
  confab-webhooks listen [--header NAME [signature flags]] [--port 3000] [--host 127.0.0.1]
      receives deliveries, prints each one, and why it refused one; without --header, detects

The body is FILE, or standard input. The secret is read from CONFAB_WEBHOOK_SECRET, or --secret.

Signature flags:
  --header NAME            header with the signature
  --encoding ENCODING      auto (default), hex, base64 or base64url
  --prefix TEXT            what stands before the signature, such as sha256=
  --timestamp-header NAME  header with the Unix time that is signed with the body
  --separator TEXT         between timestamp and body (default ".")
  --tolerance SECONDS      how far the timestamp may be from now (default 300)

Exit code: 0 done, 1 refused or not found, 2 wrong use.`;

const isUsageError = (error: unknown): error is Error =>
  error instanceof UsageError ||
  error instanceof WebhookConfigurationError ||
  (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));

/** Runs a command line, and gives the exit code. */
export const run = async (
  args: readonly string[],
  io: Io,
  warn: (line: string) => void,
): Promise<ExitCode> => {
  const [name, ...rest] = args;
  if (name === 'help' || args.includes('--help')) {
    io.print(USAGE);
    return 0;
  }
  try {
    const command = COMMANDS.get(name);
    if (command === undefined) {
      throw new UsageError(`${name === undefined ? 'Name a command' : `No command "${name}"`}; see --help.`);
    }
    return await command(rest, io);
  } catch (error) {
    if (!isUsageError(error)) throw error;
    warn(`confab-webhooks: ${error.message}`);
    return 2;
  }
};
