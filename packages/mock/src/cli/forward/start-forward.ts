import { isLoopback } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { counted } from '../../errors/check.ts';
import { caLine, render } from '../banner.ts';
import { checkNewFile, toJson } from '../files.ts';
import type { Flags } from '../flags.ts';
import type { Io, Started } from '../io.ts';
import { requestLine } from '../log-lines.ts';
import type { SavedFile } from '../saved-file.ts';
import { openSavedFile } from '../saved-file.ts';
import { startServer } from '../start-server.ts';
import type { Forward } from './forward.ts';
import { forward } from './forward.ts';

/** Only for the user who records personal data. */
const PRIVATE = 0o600;

/** The file of `--record`. */
const openRecord = (path: string, { force = false, keepPersonalData }: Flags): SavedFile => {
  checkNewFile(path, force);
  return openSavedFile(path, keepPersonalData ? PRIVATE : undefined);
};

const banner = (flags: Flags, service: string, url: string, caFile: string | undefined): string => {
  const lines = [
    `confab-mock passes requests on to ${service}.`,
    '',
    `Base URL  ${url}`,
    ...caLine(caFile),
    ...(flags.record === undefined ? [] : [`Recording ${flags.record}`]),
    '',
    'Differences from the contract are reported on standard error. Press Ctrl+C to stop.',
  ];
  return render(flags, [url, caFile], lines);
};

/** How many rows of each kind there are: `2 leads, 0 conversations`. */
const countsOf = (rows: readonly (readonly [name: string, count: number])[]): string =>
  rows.map(([name, count]) => counted(count, name.slice(0, -1))).join(', ');

/** What happened in all, at the end. */
const summary = (server: Forward, record: string | undefined): string[] => {
  const kinds = server.drift();
  const drift =
    kinds.length === 0 ? 'no drift from the contract' : `${counted(kinds.length, 'kind')} of drift:`;
  const lines = [
    `${counted(server.requests, 'request')} passed on, ${drift}`,
    ...kinds.map((kind) => `  ${kind}`),
  ];
  if (record === undefined) {
    return lines;
  }
  const { leads = [], conversations = [], messages = [], agents = [], faults } = server.data();
  const held = Object.entries({ leads, conversations, messages, agents, faults });
  const missing = Object.entries(server.recording.rows.leftOut).filter(([, count]) => count > 0);
  lines.push(
    `${record} holds ${countsOf(held.map(([name, rows]) => [name, rows.length]))}. Start a mock with it: confab-mock --data ${record}`,
  );
  if (missing.length > 0) {
    lines.push(
      `Not recorded, because a mock could not load them: ${countsOf(missing)}. The drift above says why.`,
    );
  }
  return lines;
};

/**
 * Refuses the likeliest loop at the start. Any other one is refused with its first request.
 *
 * @throws {@link UsageError} When the service is this machine at the port that this proxy is going to listen on.
 */
const checkLoop = (service: string, port: number): void => {
  const { origin, hostname, port: servicePort } = new URL(service);
  if (isLoopback(hostname) && Number(servicePort) === port) {
    throw new UsageError(`--forward must be the URL of a service, but ${origin} is this proxy itself`);
  }
};

/**
 * Starts a proxy in front of a real service. When it stops, it writes the recording and sums up the drift.
 *
 * @param service The base URL of the service.
 * @throws {@link UsageError} When a flag or file is invalid, or the port is in use.
 */
export const startForward = async (flags: Flags, service: string, io: Io): Promise<Started> => {
  const { port, host, forwardKey: key, keepPersonalData = false, record, quiet } = flags;
  const { print, warn, paint } = io;
  checkLoop(service, port);
  const file = record === undefined ? undefined : openRecord(record, flags);
  return startServer(flags, io, file, async (tls) => {
    const server = await forward({
      url: service,
      key,
      keepPersonalData,
      port,
      host,
      tls: tls?.options,
      report: warn,
      ...(!quiet && { onRequest: (request) => print(requestLine(request, Date.now(), paint)) }),
    });
    return {
      banner: banner(flags, service, server.url, tls?.caFile),
      version: () => [server.requests],
      text: () => toJson(server.data()),
      finish: server.finish,
      close: server.close,
      onStopped: () => summary(server, record).forEach(warn),
    };
  });
};
