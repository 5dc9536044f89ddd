import { setTimeout as sleep } from 'node:timers/promises';
import { isLoopback } from '@confab/internal';
import { integerFlag, UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
import { Option } from 'commander';
import { pluralize } from '../errors/check.ts';
import { PROBE } from '../upstream/probe/questions/new-lead.ts';
import { runProbe } from '../upstream/probe/run-probe.ts';
import type { ServiceOptions } from '../upstream/probe/service.ts';
import { Service } from '../upstream/probe/service.ts';
import { Recorder } from '../upstream/record/recorder.ts';
import { checkNewFile, toJson, writeText } from './files.ts';
import { checkKey, checkServiceUrl } from './flags.ts';
import type { Io } from './io.ts';
import { renderReport } from './probe-report.ts';

/** The flags of `confab-mock probe`. */
interface ProbeFlags extends Pick<ServiceOptions, 'maxRequests' | 'rateLimit' | 'allowWrites'> {
  readonly baseUrl?: string | undefined;
  /** The file to write the options to. */
  readonly output: string;
  /** The file to write the rows and responses of the service to. */
  readonly record?: string | undefined;
  readonly force?: boolean | undefined;
}

/** Shows progress on a terminal, where each line replaces the one before. */
const showProgress = (line: string): void => {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\u001b[2K${line}`);
  }
};

/** Reads the URL and the key of the service. */
const readService = ({ baseUrl }: ProbeFlags): Pick<ServiceOptions, 'baseUrl' | 'apiKey'> => {
  if (baseUrl === undefined) {
    throw new UsageError('No base URL. Pass --base-url, or set CONFAB_BASE_URL');
  }
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw new UsageError('--base-url must be an https URL, because each request carries the key');
  }
  const apiKey = process.env.CONFAB_API_KEY;
  if (!apiKey) {
    throw new UsageError('CONFAB_API_KEY is not set. It must be the key of the service');
  }
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey: checkKey(apiKey, 'CONFAB_API_KEY, the key of the service,'),
  };
};

/**
 * Asks a service what its documentation leaves open, prints the answers, and writes the options with which a mock behaves
 * like the service.
 *
 * @throws A {@link UsageError} when a flag is invalid, a file exists already or can't be written, or the service can't
 * be reached, refuses the key, is not the API, or asks for too long a wait.
 */
const probe = async (flags: ProbeFlags, { print, paint }: Io): Promise<void> => {
  const { output, record, force = false } = flags;
  const { baseUrl, apiKey } = readService(flags);
  checkNewFile(output, force);
  if (record !== undefined) {
    checkNewFile(record, force);
  }
  const clock = { now: Date.now, sleep: (ms = 0) => sleep(ms) };
  const recorder = new Recorder({ keepPersonalData: false });
  const service = new Service({ ...flags, baseUrl, apiKey, clock, print, showProgress, recorder });
  try {
    await service.checkApi();
    const { answers, unknown, options } = await runProbe(service);
    showProgress('');
    writeText(output, toJson(options));
    print(
      `${renderReport(answers, unknown, paint)}Wrote ${output}, after ${pluralize(service.sent.length, 'request')}.
Use it with createMock(), mockOptions of the vitest fixture, or confab-mock --config ${output}.
`,
    );
  } finally {
    showProgress('');
    if (record !== undefined) {
      writeText(record, toJson(recorder.data([apiKey])));
      print(`Recorded the responses in ${record}. Load them with confab-mock --data ${record}.\n`);
    }
    const { created } = service;
    if (created.length > 0) {
      print(
        `Created ${pluralize(created.length, 'lead')}, which the API can't delete: ${created.join(', ')}. All but one have the source ${PROBE}: GET /api/v2/public/leads?source=${PROBE}\n`,
      );
    }
  }
};

const EXAMPLES = `
The key of the service is read from CONFAB_API_KEY.

Examples:
  confab-mock probe --base-url https://api.example.com
  confab-mock --config confab.mock.json`;

/** Adds the command `probe`. */
export const addProbe = (program: Command, io: Io): void => {
  const rate = 'rate limit of the key, in requests per minute; the probe uses a tenth of it';
  const writes = "also ask questions that need a write; creates up to four leads, which the API can't delete";
  program
    .command('probe')
    .description('Asks a service what its documentation leaves open, and writes options for a mock.')
    .addOption(
      new Option('--base-url <url>', 'base URL of the service')
        .argParser((text) => checkServiceUrl(text, '--base-url'))
        .env('CONFAB_BASE_URL'),
    )
    .option('--output <file>', 'write the options to this file', 'confab.mock.json')
    .option('--max-requests <n>', 'maximum number of requests to send', integerFlag(1), 80)
    .option('--rate-limit <n>', rate, integerFlag(1), 600)
    .option('--allow-writes', writes)
    .option('--record <file>', 'write the responses for --data; personal values become stand-ins')
    .option('--force', 'replace existing files')
    .addHelpText('after', EXAMPLES)
    .action((flags: ProbeFlags) => probe(flags, io));
};
