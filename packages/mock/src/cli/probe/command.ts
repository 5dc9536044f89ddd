import { isLoopback } from '@confab/internal';
import { UsageError } from '@confab/internal/cli';
import { counted } from '../../errors/check.ts';
import { toBaseUrl } from '../../request/call.ts';
import type { Clock } from '../../world/clock/clock.ts';
import { readIfThere, writeText } from '../files.ts';
import { Recording } from '../forward/recording.ts';
import type { Paint } from '../log-lines.ts';
import { report } from './report.ts';
import { runProbe } from './run-probe.ts';
import { PROBE, Service } from './service.ts';

/** The flags of `confab-mock probe`. */
export interface ProbeFlags {
  readonly baseUrl?: string | undefined;
  /** The file to write the options to. */
  readonly output: string;
  readonly maxRequests: number;
  /** Requests per minute of the key. */
  readonly rateLimit?: number | undefined;
  readonly allowWrites?: boolean | undefined;
  /** The file to write the rows and responses of the service to. */
  readonly record?: string | undefined;
  readonly force?: boolean | undefined;
}

interface ProbeIo {
  readonly apiKey: string | undefined;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly print: (text: string) => void;
  /** Shows a line in place of the last one; `''` at the end. */
  readonly showProgress: (line: string) => void;
  readonly paint: Paint;
}

const checkUrl = (text: string | undefined): string => {
  const url = URL.parse(text ?? '');
  if (text === undefined || url === null || !/^https?:$/.test(url.protocol) || /[?#]/.test(text)) {
    // Not quoted, because whoever mixes up the variables has a key here.
    throw new UsageError(
      'probe needs --base-url, the base URL of the service without a query or fragment, such as https://api.example.com',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      '--base-url must not contain a user name or password. Set CONFAB_API_KEY to the key.',
    );
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError('--base-url must be an https URL, because each request carries the key');
  }
  return text;
};

const checkKey = (key: string | undefined): string => {
  if (key === undefined || !/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError('probe needs a key of the service: set CONFAB_API_KEY');
  }
  return key;
};

const write = (path: string, value: unknown): void => writeText(path, `${JSON.stringify(value, null, 2)}\n`);

/** A probe that can't even read the leads for one of these reasons would only spend its budget. */
const checkFirst = async (service: Service): Promise<void> => {
  const { status, failure } = await service.read('leads.list', { query: { limit: 100 } });
  if (failure !== undefined) {
    throw new UsageError(failure);
  }
  if (status === 401) {
    throw new UsageError('The service refused the key with a 401. Set CONFAB_API_KEY to a valid one.');
  }
};

/**
 * Asks a service what its documentation leaves open, prints the answers, and writes the options that make a mock do the
 * same.
 *
 * @throws {@link UsageError} When a flag is invalid, a file exists already or can't be written, or the service can't be
 * reached or refuses the key.
 */
export const probe = async (flags: ProbeFlags, io: ProbeIo): Promise<void> => {
  const { output, maxRequests, rateLimit, allowWrites = false, record, force = false } = flags;
  const { clock, print, showProgress, paint } = io;
  const baseUrl = checkUrl(flags.baseUrl);
  const apiKey = checkKey(io.apiKey);
  for (const path of [output, ...(record === undefined ? [] : [record])]) {
    if (!force && readIfThere(path) !== undefined) {
      throw new UsageError(`${path} exists already. Choose another file, or replace it with --force.`);
    }
  }
  const recording = new Recording({ keepPersonalData: false });
  let topic = 'first page of leads';
  const service = new Service({
    baseUrl: toBaseUrl(baseUrl),
    apiKey,
    clock,
    maxRequests,
    limit: rateLimit,
    onProgress: (requests, waitMs) =>
      showProgress(
        `${requests} of at most ${counted(maxRequests, 'request')}: ${topic}${waitMs === 0 ? '' : ` (429, waiting ${Math.ceil(waitMs / 1000)} s)`}`,
      ),
    onWrite: (request) => {
      showProgress('');
      print(`Writing: ${request}\n`);
    },
    onExchange: (exchange) => {
      if (record !== undefined) {
        recording.add(exchange);
      }
    },
  });
  try {
    await checkFirst(service);
    const { findings, options } = await runProbe(service, {
      allowWrites,
      onTopic: (next) => {
        topic = next;
      },
    });
    showProgress('');
    write(output, options);
    print(report(findings, paint));
    print(`Wrote ${output}, after ${counted(service.requests, 'request')}.\n`);
    print(
      `Use it with createMock(), mockOptions of the vitest fixture, or confab-mock --config ${output}.\n`,
    );
  } finally {
    showProgress('');
    if (record !== undefined) {
      write(record, recording.data([apiKey]));
      print(`Recorded the responses in ${record}. Load them with confab-mock --data ${record}.\n`);
    }
    if (service.created.length > 0) {
      print(
        `Created ${counted(service.created.length, 'lead')}, which the API can't delete: ${service.created.join(', ')}. All but one have the source ${PROBE}: GET /api/v2/public/leads?source=${PROBE}\n`,
      );
    }
  }
};
