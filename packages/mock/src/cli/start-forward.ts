import { isLoopback } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { pluralize } from '../errors/check.ts';
import type { Forward } from '../upstream/forward/forward.ts';
import { forward } from '../upstream/forward/forward.ts';
import { caLine, renderBanner } from './banner.ts';
import { renderDataFile } from './data-file.ts';
import { checkNewFile } from './files.ts';
import type { Flags } from './flags.ts';
import type { Io, Started } from './io.ts';
import { requestLine } from './log-lines.ts';
import { openSavedFile } from './saved-file.ts';
import { startServer } from './start-server.ts';

const openRecording = (path: string, { force = false, keepPersonalData }: Flags) => {
  checkNewFile(path, force);
  // Only the owner may read a file with personal data.
  return openSavedFile(path, keepPersonalData ? 0o600 : undefined);
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
  return renderBanner(flags, [url, caFile], lines);
};

/** Counts the rows of each list: `2 leads, 0 conversations`. */
const countRows = (lists: Readonly<Record<string, readonly unknown[]>>): string =>
  Object.entries(lists)
    .map(([name, rows]) => pluralize(rows.length, name.slice(0, -1)))
    .join(', ');

/** The lines about the file of `--record`: how many rows it holds, and what is missing from it. */
const recordingLines = ({ recorder, data }: Forward, record: string): string[] => {
  const { pipelines: _, ...held } = data();
  const lines = [`${record} holds ${countRows(held)}. Start a mock with it: confab-mock --data ${record}`];
  const leftOut = countRows(recorder.rows.leftOut);
  if (leftOut !== '') {
    lines.push(`Not recorded, because a mock could not load them: ${leftOut}. The drift above says why.`);
  }
  if (recorder.isFull) {
    lines.push('The recording became full: later requests were passed on, but not recorded.');
  }
  return lines;
};

/** The lines that are printed when the proxy stops. */
const summaryLines = (server: Forward, record: string | undefined): string[] => {
  const kinds = server.drift.summary();
  const drift =
    kinds.length === 0 ? 'no drift from the contract' : `${pluralize(kinds.length, 'kind')} of drift:`;
  return [
    `${pluralize(server.drift.requests, 'request')} passed on, ${drift}`,
    ...kinds.map((kind) => `  ${kind}`),
    ...(record === undefined ? [] : recordingLines(server, record)),
  ];
};

/**
 * Refuses the likeliest loop at the start. Any other loop is refused with its first request.
 *
 * @throws A {@link UsageError} when the service is this machine at the port that this proxy is going to listen on.
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
 * @throws A {@link UsageError} when a flag or file is invalid, or the port is in use.
 */
export const startForward = async (flags: Flags, service: string, io: Io): Promise<Started> => {
  const { record, quiet } = flags;
  const { print, warn, paint } = io;
  checkLoop(service, flags.port);
  const file = record === undefined ? undefined : openRecording(record, flags);
  return startServer(flags, io, file, async (tls) => {
    const server = await forward({
      ...flags,
      url: service,
      key: flags.forwardKey,
      tls: tls?.options,
      report: warn,
      ...(!quiet && { onRequest: (request) => print(requestLine(request, Date.now(), paint)) }),
    });
    return {
      ...server,
      banner: banner(flags, service, server.url, tls?.caFile),
      version: () => [server.drift.requests],
      text: () => renderDataFile(record ?? '', server.data()),
      onStopped: () => summaryLines(server, record).forEach(warn),
    };
  });
};
