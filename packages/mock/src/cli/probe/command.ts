import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '@confab/internal';
import { integerFlag, UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
import { Option } from 'commander';
import { counted } from '../../errors/check.ts';
import { toBaseUrl } from '../../request/incoming-request.ts';
import type { Clock } from '../../world/clock/clock.ts';
import { checkNewFile, toJson, writeText } from '../files.ts';
import { asKey, urlOfService } from '../flags.ts';
import { Recording } from '../forward/recording.ts';
import type { Io } from '../io.ts';
import { NoAnswer } from './evidence.ts';
import { report } from './report.ts';
import { runProbe } from './run-probe.ts';
import { FIRST_PAGE, PROBE, Service } from './service.ts';

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

interface ProbeIo extends Pick<Io, 'print' | 'paint'> {
  readonly apiKey: string | undefined;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  /** Shows a line in place of the last one; `''` at the end. */
  readonly showProgress: (line: string) => void;
}

/**
 * @throws {@link UsageError} When the service can't be reached, or refuses the key: the rest would only spend the budget.
 */
const checkFirst = async (service: Service): Promise<void> => {
  const reply = await service.ask('leads.list', FIRST_PAGE).catch((error: unknown) => {
    throw error instanceof NoAnswer ? new UsageError(error.message) : error;
  });
  if (reply.status === 401) {
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
  const { output, maxRequests, rateLimit: limit = 600, allowWrites = false, record, force = false } = flags;
  const { clock, print, showProgress, paint } = io;
  if (flags.baseUrl === undefined) {
    throw new UsageError('No base URL. Pass --base-url, or set CONFAB_BASE_URL');
  }
  const baseUrl = toBaseUrl(urlOfService(flags.baseUrl, '--base-url'));
  const { protocol, hostname } = new URL(baseUrl.href);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw new UsageError('--base-url must be an https URL, because each request carries the key');
  }
  if (!io.apiKey) {
    throw new UsageError('CONFAB_API_KEY is not set. It must be the key of the service');
  }
  const apiKey = asKey(io.apiKey, 'CONFAB_API_KEY, the key of the service,');
  for (const path of [output, record ?? []].flat()) {
    checkNewFile(path, force);
  }
  const recording = new Recording({ keepPersonalData: false });
  const service = new Service({
    baseUrl,
    apiKey,
    clock,
    maxRequests,
    limit,
    print,
    showProgress,
    recording,
  });
  try {
    await checkFirst(service);
    const { findings, options } = await runProbe(service, allowWrites);
    showProgress('');
    writeText(output, toJson(options));
    print(
      `${report(findings, paint)}Wrote ${output}, after ${counted(service.requests, 'request')}.
Use it with createMock(), mockOptions of the vitest fixture, or confab-mock --config ${output}.
`,
    );
  } finally {
    showProgress('');
    if (record !== undefined) {
      writeText(record, toJson(recording.data([apiKey])));
      print(`Recorded the responses in ${record}. Load them with confab-mock --data ${record}.\n`);
    }
    const { created } = service;
    if (created.length > 0) {
      print(
        `Created ${counted(created.length, 'lead')}, which the API can't delete: ${created.join(', ')}. All but one have the source ${PROBE}: GET /api/v2/public/leads?source=${PROBE}\n`,
      );
    }
  }
};

const EXAMPLES = `
The key of the service is read from CONFAB_API_KEY.

Examples:
  confab-mock probe --base-url https://api.example.com
  confab-mock --config confab.mock.json`;

/** Shows progress on a terminal, where each line replaces the one before. */
const showProgress = (line: string): void => {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\u001b[2K${line}`);
  }
};

/** Adds the command `probe`. */
export const addProbe = (program: Command, { print, paint }: Io): void => {
  program
    .command('probe')
    .description('Asks a service what its documentation leaves open, and writes options for a mock.')
    .addOption(new Option('--base-url <url>', 'base URL of the service').env('CONFAB_BASE_URL'))
    .option('--output <file>', 'write the options to this file', 'confab.mock.json')
    .option('--max-requests <n>', 'maximum number of requests to send', integerFlag(1), 60)
    .option(
      '--rate-limit <n>',
      'rate limit of the key, in requests per minute; the probe uses a tenth of it (default: 600)',
      integerFlag(1),
    )
    .option(
      '--allow-writes',
      "also ask questions that need a write; creates up to four leads, which the API can't delete",
    )
    .option('--record <file>', 'write the responses for --data; personal values become stand-ins')
    .option('--force', 'replace existing files')
    .addHelpText('after', EXAMPLES)
    .action((flags: ProbeFlags) =>
      probe(flags, {
        apiKey: process.env.CONFAB_API_KEY,
        clock: { now: Date.now, sleep: (ms = 0) => sleep(ms) },
        print,
        showProgress,
        paint,
      }),
    );
};
