import { closestName } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { Option } from 'commander';
import { createWebhooks } from '../create-webhooks.ts';
import { decompress } from '../decompress.ts';
import { detectSignature } from '../detect/detect-signature.ts';
import { WebhookError } from '../errors.ts';
import type { Header } from '../headers.ts';
import { sign } from '../signature/sign.ts';
import { describeDetected, describeError } from './describe.ts';
import type { DeliveryFlags, Flags, Io, ListenFlags } from './flags.ts';
import {
  describesSignature,
  HEADER_OPTION,
  LISTEN_OPTIONS,
  readInput,
  readTextInput,
  resolveSecret,
  resolveSigning,
  SECRET_OPTIONS,
  SIGNATURE_OPTIONS,
  TIMEOUT_OPTION,
  TO_OPTION,
} from './flags.ts';
import { listen } from './listen.ts';
import { post } from './post.ts';
import { parseRecording } from './recording.ts';

/** 0: success. 1: the delivery was refused, or no signature was found. 2: the command was called incorrectly. */
export type ExitCode = 0 | 1 | 2;

type Action<CommandFlags = Flags> = (flags: CommandFlags, io: Io, argument?: string) => Promise<ExitCode>;

const signBody: Action = async (flags, io, file) => {
  // Checked before the body is read, because a terminal would wait for input.
  const options = resolveSigning(flags, io);
  for (const [name, value] of Object.entries(await sign(await readInput(file, io), options))) {
    io.print(`${name}: ${value}`);
  }
  return 0;
};

const verify: Action = async (flags, io, file) => {
  const webhooks = createWebhooks(resolveSigning(flags, io));
  try {
    const { event, known } = await webhooks.unwrap(await readInput(file, io), flags.H ?? []);
    io.print(`genuine: ${event}${known ? '' : ' (an event without a schema)'}`);
    return 0;
  } catch (error) {
    if (!(error instanceof WebhookError)) {
      throw error;
    }
    io.print(`refused: ${error.code}`);
    io.print(describeError(error));
    if (error.message.includes('toleranceSeconds')) {
      io.print('To accept an old delivery, raise toleranceSeconds in --options.');
    }
    return 1;
  }
};

const detect: Action = async (flags, io, file) => {
  if (flags.H === undefined) {
    throw new UsageError('-H is missing. Pass each header of the delivery, such as -H "name: value".');
  }
  const secret = resolveSecret(flags, io);
  const detected = await detectSignature({ headers: flags.H, body: await readInput(file, io), secret });
  describeDetected(detected).forEach(io.print);
  return detected.found ? 0 : 1;
};

/** The data of a `message.created` event that is sent without --data. */
const SAMPLE = { conversationId: '00000000-0000-4000-8000-000000000000', channel: 'web', body: 'Hello' };

/** The most edits by which a misspelled `message.created` differs from it. Names of other events differ by more. */
const MAX_EDITS = 2;

const createSample = (event: string, io: Io): object => {
  if (event === 'message.created') {
    return SAMPLE;
  }
  if (closestName(event, ['message.created'], MAX_EDITS) !== undefined) {
    io.print(`${event} has no sample, so its data is {}. Did you mean message.created?`);
  }
  return {};
};

const readData = async (text: string, io: Io): Promise<unknown> => {
  const json = text.startsWith('@') ? await readTextInput(text.slice(1), io) : text;
  try {
    return JSON.parse(json);
  } catch {
    const shown = JSON.stringify(text);
    throw new UsageError(`--data must be JSON, or @ and the name of a file with JSON, got ${shown}.`);
  }
};

/** Posts a delivery, and prints the response. */
const deliver = async (
  flags: DeliveryFlags,
  io: Io,
  headers: readonly Header[],
  body: Uint8Array,
): Promise<ExitCode> => {
  const { response, line } = await post(flags.to, headers, body, flags.timeout);
  io.print(line);
  return response.status >= 200 && response.status < 300 ? 0 : 1;
};

const send: Action<DeliveryFlags> = async (flags, io, event = '') => {
  const options = resolveSigning(flags, io);
  const data = flags.data === undefined ? createSample(event, io) : await readData(flags.data, io);
  const body = Buffer.from(JSON.stringify({ event, data }));
  const headers = { 'Content-Type': 'application/json', ...(await sign(body, options)) };
  return deliver(flags, io, Object.entries(headers), body);
};

const replay: Action<DeliveryFlags> = async (flags, io, file = '') => {
  const options = describesSignature(flags) ? resolveSigning(flags, io) : undefined;
  let code: ExitCode = 0;
  const { deliveries, cutOffLine } = parseRecording(file, await readTextInput(file, io));
  for (const { headers, body } of deliveries) {
    const plain = options?.signature.decompress ? await decompress(body, headers, Infinity) : body;
    const signed = options === undefined ? {} : await sign(plain, options);
    const others = headers.filter(([name]) => !Object.hasOwn(signed, name));
    code = (await deliver(flags, io, [...others, ...Object.entries(signed)], body)) || code;
  }
  if (cutOffLine !== undefined) {
    io.print(`Line ${cutOffLine} of ${file} is cut off, so it was not sent.`);
    return 1;
  }
  return code;
};

/** A command and its help. */
interface Command {
  /** The name and the argument. */
  readonly usage: string;
  readonly description: string;
  readonly example: string;
  readonly options: readonly Option[];
  readonly run: Action<DeliveryFlags & ListenFlags>;
}

export const COMMANDS: readonly Command[] = [
  {
    usage: 'sign [file]',
    description: 'Prints the headers that sign a body, in the format that `curl -H @-` reads.',
    example:
      'sign --header x-webhook-signature body.json | curl -H @- --data-binary @body.json http://localhost:3000',
    options: SIGNATURE_OPTIONS,
    run: signBody,
  },
  {
    usage: 'verify [file]',
    description: 'Checks whether a captured delivery is genuine, and prints its event.',
    example: "verify --header x-webhook-signature -H 'x-webhook-signature: 9f86…' body.json",
    options: [...SIGNATURE_OPTIONS, HEADER_OPTION],
    run: verify,
  },
  {
    usage: 'detect [file]',
    description: 'Finds the signature of a captured delivery, whatever the encoding of the secret.',
    example: "detect -H 'x-one: 9f86…' -H 'x-two: 1700000000' body.json",
    options: [...SECRET_OPTIONS, HEADER_OPTION],
    run: detect,
  },
  {
    usage: 'listen',
    description:
      'Receives deliveries and prints each one, or why it was refused. Without signature flags, it finds the signature of each delivery. Only genuine deliveries are forwarded and recorded.',
    example: 'listen --header x-webhook-signature --forward-to http://localhost:8080/webhooks',
    options: [...SIGNATURE_OPTIONS, ...LISTEN_OPTIONS, TIMEOUT_OPTION],
    run: async (flags, io) => {
      await listen(flags, io);
      return 0;
    },
  },
  {
    usage: 'send <event>',
    description: 'Signs an event, sends it to a receiver and prints the response.',
    example: 'send message.created --to http://localhost:8080/webhooks --header x-webhook-signature',
    options: [
      ...SIGNATURE_OPTIONS,
      TO_OPTION,
      new Option(
        '--data <json|@file>',
        'data of the event (default: a sample for message.created, otherwise {})',
      ),
      TIMEOUT_OPTION,
    ],
    run: send,
  },
  {
    usage: 'replay <file>',
    description:
      'Sends the deliveries that "listen --record FILE" wrote, one after the other. With signature flags, each of them is signed again, with the current time and a new id.',
    example: 'replay deliveries.jsonl --to http://localhost:8080/webhooks',
    options: [...SIGNATURE_OPTIONS, TO_OPTION, TIMEOUT_OPTION],
    run: replay,
  },
];
