import { setTimeout as sleep } from 'node:timers/promises';
import { parseFlags, UsageError } from '@confab/internal/cli';
import { paintFor } from '../paint.ts';
import { probe } from './command.ts';

const OPTIONS = {
  'base-url': { type: 'string' },
  output: { type: 'string', default: 'confab.mock.json' },
  'max-requests': { type: 'string', default: '60' },
  'rate-limit': { type: 'string' },
  'allow-writes': { type: 'boolean', default: false },
  record: { type: 'string' },
  force: { type: 'boolean', default: false },
} as const;

const integer = (flag: string, text: string): number => {
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) {
    throw new UsageError(`${flag} must be a whole number from 1, got ${JSON.stringify(text)}`);
  }
  return Number(text);
};

/** Shows progress on a terminal, where each line replaces the one before. */
const showProgress = (line: string): void => {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\u001b[2K${line}`);
  }
};

/**
 * Runs `confab-mock probe`.
 *
 * @param args The arguments after `probe`.
 * @throws {@link UsageError} When the probe can't start or end.
 */
export const runProbeCommand = async (
  args: readonly string[],
  print: (text: string) => void,
): Promise<void> => {
  const { values } = parseFlags(args, { options: OPTIONS });
  const { 'max-requests': maxRequests, 'rate-limit': rateLimit } = values;
  await probe(
    {
      baseUrl: values['base-url'] ?? process.env.CONFAB_BASE_URL,
      output: values.output,
      maxRequests: integer('--max-requests', maxRequests),
      rateLimit: rateLimit === undefined ? undefined : integer('--rate-limit', rateLimit),
      allowWrites: values['allow-writes'],
      record: values.record,
      force: values.force,
    },
    {
      apiKey: process.env.CONFAB_API_KEY,
      clock: { now: Date.now, sleep: (ms = 0) => sleep(ms) },
      print,
      showProgress,
      paint: paintFor(process.stdout),
    },
  );
};
