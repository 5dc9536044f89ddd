import { counted } from '../errors/check.ts';
import type { Forward } from '../forward/forward.ts';
import { forward } from '../forward/forward.ts';
import type { ForwardFlags } from './forward-flags.ts';
import { onlyOnce } from './only-once.ts';
import type { CommandTls } from './open-tls.ts';
import { openTls } from './open-tls.ts';
import type { Paint } from './paint.ts';
import { plain } from './paint.ts';
import type { Flags } from './parse-flags.ts';
import { keepRecording, openRecordFile } from './record-file.ts';
import { requestLine } from './request-line.ts';
import type { SavedFile } from './saved-file.ts';
import { usageErrorOf } from './usage-error-of.ts';

type Print = (text: string) => void;

type Forwarding = Flags & { readonly forward: ForwardFlags };

interface Output {
  readonly print: Print;
  readonly warn: Print;
  readonly paint: Paint;
}

const banner = (
  { quiet, forward: { url, record } }: Forwarding,
  own: string,
  tls: CommandTls | undefined,
) => {
  const ca = tls?.caFile === undefined ? [] : [tls.caFile];
  if (quiet) {
    return `${[own, ...ca].join('\n')}\n`;
  }
  return [
    '',
    `confab-mock passes requests on to ${url}.`,
    '',
    `Base URL  ${own}`,
    ...ca.map((file) => `CA        ${file} (trust it with NODE_EXTRA_CA_CERTS)`),
    ...(record === undefined ? [] : [`Recording ${record}`]),
    '',
    'Differences from the contract are reported on standard error. Press Ctrl+C to stop.',
    '',
    '',
  ]
    .map((line) => (line === '' ? line : `  ${line}`))
    .join('\n');
};

const open = async (
  flags: Forwarding,
  tls: CommandTls | undefined,
  { print, warn, paint }: Output,
): Promise<Forward> => {
  const { url, key, keepPersonalData } = flags.forward;
  try {
    return await forward({
      url,
      key,
      keepPersonalData,
      port: flags.port,
      host: flags.host,
      tls: tls?.options,
      report: warn,
      ...(!flags.quiet && {
        onRequest: ({ startedAt, ...request }) =>
          print(requestLine({ ...request, at: startedAt, search: '', fault: undefined }, Date.now(), paint)),
      }),
    });
  } catch (error) {
    throw usageErrorOf(error, flags);
  }
};

/** Which rows the recording does not hold, if any. */
const missing = (server: Forward): string[] => {
  const counts = Object.entries(server.leftOut)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => counted(count, name.slice(0, -1)));
  return counts.length === 0
    ? []
    : [`Not recorded, because a mock could not load them: ${counts.join(', ')}. The drift above says why.`];
};

/** What happened in all, at the end. */
const summary = (server: Forward, { record }: ForwardFlags): string[] => {
  const kinds = server.drift();
  const total = counted(server.requests, 'request');
  const drift =
    kinds.length === 0 ? 'no drift from the contract' : `${counted(kinds.length, 'kind')} of drift:`;
  const { leads = [], conversations = [], messages = [], agents = [], faults } = server.data();
  const counts = [
    counted(leads.length, 'lead'),
    counted(conversations.length, 'conversation'),
    counted(messages.length, 'message'),
    counted(agents.length, 'agent'),
    counted(faults.length, 'fault'),
  ];
  return [
    `${total} passed on, ${drift}`,
    ...kinds.map((kind) => `  ${kind}`),
    ...(record === undefined
      ? []
      : [
          `${record} holds ${counts.join(', ')}. Start a mock with it: confab-mock --data ${record}`,
          ...missing(server),
        ]),
  ];
};

const serve = async (
  flags: Forwarding,
  file: SavedFile | undefined,
  output: Output,
): Promise<() => Promise<void>> => {
  const tls = await openTls(flags);
  let server: Forward;
  try {
    server = await open(flags, tls, output);
  } catch (error) {
    tls?.end();
    throw error;
  }
  const keeper = file && keepRecording(server, file, output.warn);
  output.print(banner(flags, server.url, tls));
  const end = async (): Promise<void> => {
    try {
      await server.close();
    } finally {
      tls?.end();
      keeper?.end();
    }
    for (const line of summary(server, flags.forward)) {
      output.warn(line);
    }
  };
  return onlyOnce(end);
};

/**
 * Starts a proxy in front of a real service. Resolves to a function that stops it, writes the recording, and sums up the
 * drift; later calls of it have no effect.
 *
 * @param warn Called with each kind of drift, and with problems.
 * @param paint Colors the log of requests.
 * @throws {@link UsageError} When a flag or file is invalid, or the port is in use.
 */
export const startForward = async (
  flags: Forwarding,
  print: Print,
  warn: Print = () => {},
  paint: Paint = plain,
): Promise<() => Promise<void>> => {
  const { record } = flags.forward;
  const file = record === undefined ? undefined : openRecordFile(record, flags.forward, warn);
  try {
    return await serve(flags, file, { print, warn, paint });
  } catch (error) {
    file?.lock.release();
    throw error;
  }
};
