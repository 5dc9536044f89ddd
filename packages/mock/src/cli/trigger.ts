import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
import { Option } from 'commander';
import { MockError } from '../errors/mock-error.ts';
import { connectMock } from '../remote/connect-mock.ts';
import type { RemoteMock } from '../remote/remote-mock.ts';
import type { Inbound } from '../world/inbound.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import { readRequired } from './files.ts';
import type { Io } from './io.ts';
import { attemptLine } from './log-lines.ts';

/** The flags that name the running mock. */
interface MockFlags {
  readonly url: string;
  readonly adminToken?: string | undefined;
}

/** Milliseconds to wait for the first attempts: an endpoint may take ten seconds to respond. */
const FIRST_ATTEMPTS_TIMEOUT = 15_000;

/** Milliseconds between two checks of the deliveries. */
const POLL_INTERVAL = 100;

const addMockFlags = (command: Command): Command =>
  command
    .addOption(
      new Option('--url <url>', 'base URL of the running mock, or of a world of it')
        .env('CONFAB_MOCK_URL')
        .default('http://127.0.0.1:4010'),
    )
    .addOption(
      new Option('--admin-token <token>', 'admin token of the mock, if it has one').env(
        'CONFAB_MOCK_ADMIN_TOKEN',
      ),
    );

/**
 * Connects to the running mock, and runs an action on it.
 *
 * @throws A {@link UsageError} when there is no mock at the URL, or when it refuses the token or a value.
 */
const withMock = async (
  { url, adminToken }: MockFlags,
  act: (mock: RemoteMock) => Promise<void>,
): Promise<void> => {
  try {
    await act(await connectMock(url, { adminToken }));
  } catch (error) {
    if (!(error instanceof MockError)) {
      throw error;
    }
    const hint =
      error.code === 'REMOTE_UNREACHABLE' ? ' Pass its address with --url, or set CONFAB_MOCK_URL.' : '';
    const words = error.message
      .replace('`url of connectMock()`', '--url')
      .replace(
        'Pass it to connectMock() as `adminToken`',
        'Pass it with --admin-token, or set CONFAB_MOCK_ADMIN_TOKEN',
      )
      .replace('`adminToken`', '--admin-token');
    throw new UsageError(words + hint);
  }
};

/** Resolves to some of the deliveries, once each of them has had its first attempt or the time is up. */
const waitForFirstAttempts = async (
  mock: RemoteMock,
  isOurs: (delivery: Delivery) => boolean,
): Promise<readonly Delivery[]> => {
  const end = performance.now() + FIRST_ATTEMPTS_TIMEOUT;
  for (;;) {
    const deliveries = (await mock.webhooks.deliveries()).filter(isOurs);
    if (deliveries.every(({ attempts }) => attempts.length > 0) || performance.now() >= end) {
      return deliveries;
    }
    await sleep(POLL_INTERVAL);
  }
};

/**
 * Triggers an event, and prints the outcome of its deliveries. The exit code is 1 unless all of them succeeded.
 *
 * @param trigger Resolves to a text that the body of each delivery of the event contains.
 */
const triggerAndReport = async (
  mock: RemoteMock,
  { print, warn, paint }: Io,
  trigger: () => Promise<string>,
): Promise<void> => {
  const before = new Set((await mock.webhooks.deliveries()).map(({ id }) => id));
  const part = await trigger();
  const deliveries = await waitForFirstAttempts(
    mock,
    ({ id, body }) => !before.has(id) && body.includes(part),
  );
  for (const delivery of deliveries) {
    const { event, url, id } = delivery;
    print(attemptLine(delivery, paint) || `pending: ${event} to ${url} (${id})\n`);
  }
  if (deliveries.length === 0) {
    warn('The event was not delivered, because of a planned delivery fault with `copies: 0`.');
  }
  if (deliveries.length === 0 || deliveries.some(({ state }) => state !== 'delivered')) {
    process.exitCode = 1;
  }
};

/** Reads JSON from the flag itself, a file or standard input. Messages do not quote it: it may be personal. */
const readData = async (source: string): Promise<unknown> => {
  const read = () =>
    source.startsWith('@') ? readRequired('--data must name a JSON file', source.slice(1)) : source;
  const json = source === '-' ? await text(process.stdin) : read();
  try {
    return JSON.parse(json);
  } catch {
    throw new UsageError(
      `--data must be JSON, such as '{"conversationId":"…"}', or @file.json, or - for standard input`,
    );
  }
};

const emit = (event: string, flags: MockFlags & { readonly data: string }, io: Io): Promise<void> =>
  withMock(flags, async (mock) => {
    const data = await readData(flags.data);
    if ((await mock.webhooks.endpoints()).length === 0) {
      throw new UsageError(
        `No endpoint is registered at ${mock.baseUrl}, so nobody would receive the event. Start the mock with --webhook and --webhook-secret, or post {"url":"…","secret":"…"} to ${mock.baseUrl}/__mock/webhooks/endpoints`,
      );
    }
    await triggerAndReport(mock, io, async () => {
      await mock.webhooks.emit(event, data);
      return JSON.stringify({ event, data });
    });
  });

/** The flags of `confab-mock inbound`. */
interface InboundFlags extends MockFlags, Pick<Inbound, 'phone' | 'channel' | 'body'> {
  readonly conversation?: string | undefined;
}

const inbound = (flags: InboundFlags, io: Io): Promise<void> =>
  withMock(flags, async (mock) => {
    const { phone, conversation: conversationId, channel, body } = flags;
    if ((phone === undefined) === (conversationId === undefined)) {
      throw new UsageError('Pass either --phone or --conversation. See confab-mock inbound --help');
    }
    const write = async () => {
      const { lead, conversation, message } = await mock.inbound({ phone, conversationId, channel, body });
      io.print(`lead ${lead.id}\nconversation ${conversation.id}\nmessage ${message.id}\n`);
      return conversation.id;
    };
    if ((await mock.webhooks.endpoints()).length > 0) {
      await triggerAndReport(mock, io, write);
    } else {
      await write();
      io.warn('No endpoint is registered, so no event was sent.');
    }
  });

/** Adds the commands `emit` and `inbound`, which make a running mock send events. */
export const addTriggers = (program: Command, io: Io): void => {
  addMockFlags(
    program
      .command('emit')
      .description('Makes a running mock send an event to its endpoints, and prints what they responded.')
      .argument('<event>', 'name of the event, such as message.created')
      .option('--data <json|@file|->', 'data of the event: JSON, a file, or standard input', '{}'),
  )
    .addHelpText(
      'after',
      `\nExample:\n  confab-mock emit message.created --data '{"conversationId":"…","channel":"live_chat","body":"Hello"}'`,
    )
    .action((event: string, flags: Parameters<typeof emit>[1]) => emit(event, flags, io));
  addMockFlags(
    program
      .command('inbound')
      .description(
        'Makes a running mock receive a message from a lead, and prints what its endpoints responded.',
      )
      .option('--phone <phone>', 'phone number of the lead, who is created if there is none')
      .option('--conversation <id>', 'conversation to write to, in place of a phone number')
      .option('--channel <name>', 'channel of the message (default: live_chat)')
      .requiredOption('--body <text>', 'text of the message'),
  )
    .addHelpText('after', "\nExample:\n  confab-mock inbound --phone +5511987654321 --body 'Hello!'")
    .action((flags: InboundFlags) => inbound(flags, io));
};
