import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { integer, valued } from '../flags.ts';
import type { Io } from '../io.ts';
import type { ProbeFlags } from './command.ts';
import { probe } from './command.ts';

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
    .description(
      'Asks a service what its documentation leaves open, and writes options for a mock that does the same.',
    )
    .addOption(valued('--base-url <url>', 'base URL of the service').env('CONFAB_BASE_URL'))
    .addOption(
      valued('--output <file>', 'write the options for a mock to this file').default('confab.mock.json'),
    )
    .addOption(valued('--max-requests <n>', 'send no more requests', integer(1)).default(60))
    .addOption(
      valued(
        '--rate-limit <n>',
        'requests per minute of the key, of which the probe takes a tenth, until a response names it (default: 600)',
        integer(1),
      ),
    )
    .option(
      '--allow-writes',
      "also ask by writing: creates up to five leads named confab-probe, which the API can't delete",
    )
    .addOption(
      valued(
        '--record <file>',
        'write the responses as rows and faults, for --data; personal values become stand-ins',
      ),
    )
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
