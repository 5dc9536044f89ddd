/**
 * Kills the receiver, the workers and Redis of the example again and again while deliveries arrive, and then checks that
 * none was lost and none was handled twice. Prints what happened; exits with 1 when a promise was broken.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCrash } from './run-crash.ts';

const USAGE = 'Usage: pnpm test:crash [--deliveries 500] [--workers 3] [--seed N]';

const readFlags = () => {
  try {
    const { values } = parseArgs({
      options: {
        deliveries: { type: 'string', default: '500' },
        workers: { type: 'string', default: '3' },
        seed: { type: 'string', default: String(randomInt(2 ** 32)) },
      },
    });
    const numbers = Object.values(values).map(Number);
    if (numbers.every((number) => Number.isSafeInteger(number) && number >= 0)) {
      return {
        deliveries: Number(values.deliveries),
        workers: Math.max(1, Number(values.workers)),
        seed: Number(values.seed),
      };
    }
    console.error(`The flags must be whole numbers. ${USAGE}`);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error} ${USAGE}`);
  }
  return process.exit(2);
};

const flags = readFlags();
const folder = mkdtempSync(join(tmpdir(), 'webhooks-bullmq-'));
const journal = join(folder, 'journal.log');
for (const name of ['redis', 'failures']) {
  mkdirSync(join(folder, name));
}
writeFileSync(journal, '');

// Their exit handlers end the processes under test.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => process.exit(1));
}
console.log(`Seed ${flags.seed}. When exactly a kill strikes also depends on the machine.`);
try {
  const problems = await runCrash({ ...flags, folder, journal });
  if (problems.length === 0) {
    rmSync(folder, { recursive: true });
    console.log(
      'Every delivery was handled, none was handled again, and only those that always fail are dead letters.',
    );
  }
  for (const problem of problems.slice(0, 20)) {
    console.error(`BROKEN: ${problem}`);
  }
  if (problems.length > 0) {
    console.error(
      `${problems.length} promises were broken. ${folder} has the journal and what the processes printed.`,
    );
  }
  process.exit(problems.length === 0 ? 0 : 1);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  if (statSync(journal).size === 0) {
    rmSync(folder, { recursive: true });
  }
  process.exit(1);
}
