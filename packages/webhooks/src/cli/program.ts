import { packageVersion, printable, UsageError } from '@confab/internal/cli';
import { Command, CommanderError, Option } from 'commander';
import { createWebhooks } from '../create-webhooks.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookConfigurationError, WebhookError } from '../errors.ts';
import { sign } from '../signature/sign.ts';
import { describeDetected, messageOf } from './describe.ts';
import type { Flags, Io } from './flags.ts';
import {
  addSecretFlag,
  addSignatureFlags,
  addSignedFlags,
  bodyFrom,
  describesSignature,
  headerFrom,
  numberFrom,
  SECRET_VARIABLE,
  secretFrom,
  signatureFrom,
  signOptionsFrom,
  timeoutOption,
} from './flags.ts';
import type { ListenFlags } from './listen.ts';
import { listen } from './listen.ts';
import type { HeaderLines } from './post.ts';
import { isAccepted, post, urlFrom } from './post.ts';
import { readRecording } from './recording.ts';

/** 0: success. 1: the delivery was refused, or no signature was found. 2: the command was called incorrectly. */
export type ExitCode = 0 | 1 | 2;

interface CapturedFlags extends Flags {
  readonly H?: [name: string, value: string][] | undefined;
}

interface SendFlags extends Flags {
  readonly to: URL;
  readonly data?: string | undefined;
  readonly timeout?: number | undefined;
}

const NOTES = `
The secret comes from ${SECRET_VARIABLE} or --secret.
Exit code: 0 success, 1 refused, not found or no response, 2 incorrect usage.`;

/** What is sent without --data. */
const SAMPLES: Readonly<Record<string, object>> = {
  'message.created': {
    conversationId: '00000000-0000-4000-8000-000000000000',
    channel: 'web',
    body: 'Hello',
  },
};

const signBody = async (file: string | undefined, flags: Flags, io: Io): Promise<ExitCode> => {
  // Checked before the body is read, because a terminal would wait for input.
  const options = signOptionsFrom(flags, io);
  for (const [name, value] of Object.entries(await sign(await bodyFrom(file, io), options))) {
    io.print(`${name}: ${value}`);
  }
  return 0;
};

const verify = async (file: string | undefined, flags: CapturedFlags, io: Io): Promise<ExitCode> => {
  const signature = signatureFrom(flags);
  const webhooks = createWebhooks({ secret: secretFrom(flags, io), signature });
  try {
    const { event, known } = await webhooks.unwrap(await bodyFrom(file, io), flags.H ?? []);
    io.print(`genuine: ${event}${known ? '' : ' (an event without a schema)'}`);
    return 0;
  } catch (error) {
    if (!(error instanceof WebhookError)) {
      throw error;
    }
    io.print(`refused: ${error.code}`);
    io.print(messageOf(error));
    return 1;
  }
};

const detect = async (file: string | undefined, flags: CapturedFlags, io: Io): Promise<ExitCode> => {
  if (flags.H === undefined) {
    throw new UsageError('No -H. Pass each header of the delivery, such as -H "name: value".');
  }
  const secret = secretFrom(flags, io);
  const detected = await detectSignature({ headers: flags.H, body: await bodyFrom(file, io), secret });
  for (const line of describeDetected(detected)) {
    io.print(line);
  }
  return detected.found ? 0 : 1;
};

const dataFrom = async (text: string, io: Io): Promise<unknown> => {
  const json = text.startsWith('@') ? Buffer.from(await bodyFrom(text.slice(1), io)).toString() : text;
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError(
      `--data must be JSON, or @ and the name of a file with JSON, got ${JSON.stringify(text)}.`,
    );
  }
};

const send = async (event: string, flags: SendFlags, io: Io): Promise<ExitCode> => {
  const options = signOptionsFrom(flags, io);
  const data = flags.data === undefined ? (SAMPLES[event] ?? {}) : await dataFrom(flags.data, io);
  const body = Buffer.from(JSON.stringify({ event, data }));
  const headers = { 'Content-Type': 'application/json', ...(await sign(body, options)) };
  const result = await post(flags.to, Object.entries(headers), body, flags.timeout);
  io.print(result.line);
  return isAccepted(result) ? 0 : 1;
};

/** Replaces headers of the same names. */
const withHeaders = (headers: HeaderLines, others: Readonly<Record<string, string>>): HeaderLines => [
  ...headers.filter(([name]) => !Object.hasOwn(others, name.toLowerCase())),
  ...Object.entries(others),
];

const replay = async (file: string, flags: SendFlags, io: Io): Promise<ExitCode> => {
  const options = describesSignature(flags) ? signOptionsFrom(flags, io) : undefined;
  let code: ExitCode = 0;
  for (const { number, delivery } of await readRecording(file)) {
    if (delivery === undefined) {
      io.print(`Line ${number} of ${file} is cut off; skipped`);
      code = 1;
      continue;
    }
    const { headers, body } = delivery;
    const bytes = Buffer.from(body, 'base64');
    const signed = options === undefined ? headers : withHeaders(headers, await sign(bytes, options));
    const result = await post(flags.to, signed, bytes, flags.timeout);
    io.print(result.line);
    code = isAccepted(result) ? code : 1;
  }
  return code;
};

/** Commander finds flags, help and suggestions, and throws instead of ending the process. */
const createProgram = (io: Io, write: (text: string) => void, done: (code: ExitCode) => void): Command => {
  const program = new Command('confab-webhooks')
    .description('Signs, verifies and receives webhook deliveries.')
    .version(packageVersion(import.meta.url), '-v, --version', 'print the version')
    // The error is thrown too.
    .configureOutput({ writeOut: write, writeErr: () => {}, outputError: () => {} })
    .exitOverride()
    .addHelpText('after', NOTES);
  const add = (usage: string, description: string, example: string): Command =>
    program
      .command(usage)
      .description(description)
      .addHelpText('after', `${NOTES}\n\nExample:\n  confab-webhooks ${example}`);
  const url = new Option('--to <url>', 'URL of the receiver').argParser(urlFrom);
  const addCaptured = (command: Command): Command =>
    command.option('-H <name: value>', 'header of the delivery; repeat it for each header', headerFrom);

  addSignedFlags(
    addSignatureFlags(
      add(
        'sign [file]',
        'Prints the headers that sign a body, in the form that `curl -H @-` reads.',
        'sign --header x-webhook-signature body.json | curl -H @- --data-binary @body.json http://localhost:3000',
      ),
    ),
  ).action(async (file, flags) => done(await signBody(file, flags, io)));

  addCaptured(
    addSignatureFlags(
      add(
        'verify [file]',
        'Checks whether a captured delivery is genuine, and prints its event.',
        "verify --header x-webhook-signature -H 'x-webhook-signature: 9f86…' body.json",
      ),
    ),
  ).action(async (file, flags) => done(await verify(file, flags, io)));

  addCaptured(
    addSecretFlag(
      add(
        'detect [file]',
        'Finds the signature of a captured delivery. It tries every encoding of the secret.',
        "detect -H 'x-one: 9f86…' -H 'x-two: 1700000000' body.json",
      ),
    ),
  ).action(async (file, flags) => done(await detect(file, flags, io)));

  addSignatureFlags(
    add(
      'listen',
      'Receives deliveries and prints each one, or why it was refused. Without signature flags, it finds the signature of each delivery. Only genuine deliveries are forwarded and recorded.',
      'listen --header x-webhook-signature --forward-to http://localhost:8080/webhooks',
    ),
  )
    .addOption(
      new Option('--port <number>', 'port to listen on; 0 for a free one')
        .default(3000)
        .argParser(
          numberFrom(
            'a whole number from 0 to 65535',
            (port) => Number.isInteger(port) && port >= 0 && port <= 65_535,
          ),
        ),
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--forward-to <url>',
      'sends each delivery to your app, which then responds to the sender',
      urlFrom,
    )
    .option('--record <file>', 'adds each delivery to a file, one per line, for "replay"')
    .addOption(timeoutOption())
    .action(async (flags: ListenFlags) => {
      await listen(flags, io);
      done(0);
    });

  addSignedFlags(
    addSignatureFlags(
      add(
        'send <event>',
        'Signs an event, sends it to a receiver and prints the response.',
        'send message.created --to http://localhost:8080/webhooks --header x-webhook-signature',
      ),
    ),
  )
    .addOption(url.makeOptionMandatory())
    .option('--data <json|@file>', 'data of the event (default: a sample for message.created, otherwise {})')
    .addOption(timeoutOption())
    .action(async (event, flags) => done(await send(event, flags, io)));

  addSignatureFlags(
    add(
      'replay <file>',
      'Sends the deliveries again that "listen --record FILE" wrote, one after the other. With signature flags, it signs each of them again, with the current time and a new id.',
      'replay deliveries.jsonl --to http://localhost:8080/webhooks',
    ),
  )
    .addOption(
      new Option('--to <url>', 'URL of the receiver')
        .argParser(urlFrom)
        .default(new URL('http://localhost:3000'), 'http://localhost:3000'),
    )
    .addOption(timeoutOption())
    .action(async (file, flags) => done(await replay(file, flags, io)));
  return program;
};

/** The value after an unknown flag may be a secret. */
const usageMessage = ({ message }: CommanderError): string =>
  message.replace(/^error: /, '').replace(/^(unknown option '[^=']*)=.*'/s, "$1'");

/** Refuses a flag whose value was forgotten, because commander would take the next flag for it. */
const checkValues = (args: readonly string[]): void => {
  const at = args.findIndex(
    (arg, index) => /^--(?!help$|version$)[\w-]+$|^-H$/.test(arg) && /^--\w/.test(args[index + 1] ?? ''),
  );
  if (at >= 0) {
    throw new UsageError(`${args[at]} needs a value. If it starts with a dash, write ${args[at]}=VALUE.`);
  }
};

/** Runs a command line and resolves to the exit code. */
export const run = async (
  args: readonly string[],
  io: Io,
  warn: (line: string) => void,
): Promise<ExitCode> => {
  let code: ExitCode = 0;
  const escaping = { ...io, print: (line: string) => io.print(printable(line)) };
  const write = (text: string) => io.print(text.trimEnd());
  const program = createProgram(escaping, write, (ended) => {
    code = ended;
  });
  try {
    if (args.length === 0) {
      throw new UsageError('No command. Use sign, verify, detect, listen, send or replay. See --help.');
    }
    checkValues(args);
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) {
        return 0;
      }
      warn(`confab-webhooks: ${new UsageError(usageMessage(error)).message} See --help.`);
      return 2;
    }
    if (!(error instanceof UsageError || error instanceof WebhookConfigurationError)) {
      throw error;
    }
    // A UsageError is printable already; the message of an invalid option repeats its value.
    warn(`confab-webhooks: ${printable(error.message)}`);
    return 2;
  }
};
