/**
 * Fuzzes the packages: `pnpm test:fuzz [target…] [--runs N | --seconds S] [--seed N]`. Without arguments, every target
 * runs for five seconds. `--input FILE` runs one input, and `--write` puts the figures into docs/proof/fuzzing.md.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { bytesInUse } from '@confab/internal/test-support';
import type { FuzzResult } from './engine/fuzz.ts';
import { fuzz } from './engine/fuzz.ts';
import { instrumentPackages, wordsOfSources } from './engine/instrument.ts';
import { runInput } from './engine/run-input.ts';
import { writeFigures } from './figures.ts';
import { corpusFiles, keptInputs, writeFinding } from './store.ts';
import { targets } from './targets/index.ts';

/** Bytes that a run may leave in memory: the inputs that it keeps, and the code that V8 compiled meanwhile. */
const MOST_LEFT = 64 * 1_024 * 1_024;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    input: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});

const numberOf = (text: string, flag: string): number => {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) {
    throw new TypeError(`--${flag} must be a whole number of at least 1, got ${text}.`);
  }
  return number;
};

const print = (line: string) => process.stdout.write(`${line}\n`);

const describe = (name: string, { inputs, seconds, corpus, features, findings }: FuzzResult): string => {
  const rate = Math.round(inputs / seconds).toLocaleString('en');
  return `${name}: ${inputs.toLocaleString('en')} inputs in ${seconds.toFixed(1)} s (${rate}/s), corpus of ${corpus.length}, ${features} new features, ${findings.length} findings`;
};

const unknown = positionals.filter((name) => !targets.has(name));
if (unknown.length > 0) {
  throw new TypeError(`Unknown target ${unknown.join(', ')}. Known: ${[...targets.keys()].join(', ')}.`);
}
const seed = numberOf(values.seed, 'seed');
const runs = values.runs === undefined ? undefined : numberOf(values.runs, 'runs');
const seconds = values.seconds === undefined ? undefined : numberOf(values.seconds, 'seconds');

instrumentPackages();
let failed = false;
for (const name of positionals.length > 0 ? positionals : targets.keys()) {
  const { target } = (await targets.get(name)?.()) ?? {};
  if (target === undefined) {
    continue;
  }
  if (values.input !== undefined) {
    const error = await runInput(target, readFileSync(values.input));
    print(`${name}: ${error?.stack ?? 'every property holds'}`);
    failed ||= error !== undefined;
    continue;
  }
  const before = await bytesInUse();
  const result = await fuzz(target, {
    seeds: keptInputs(name),
    words: wordsOfSources(),
    seed,
    runs: runs ?? Number.POSITIVE_INFINITY,
    seconds: seconds ?? (runs === undefined ? 5 : Number.POSITIVE_INFINITY),
  });
  const left = (await bytesInUse()) - before;
  print(describe(name, result));
  for (const finding of result.findings) {
    print(`  ${finding.error.stack ?? finding.error.message}\n  ${writeFinding(name, finding)}`);
  }
  if (left > MOST_LEFT) {
    print(`  ${Math.round(left / 1_048_576)} MiB stay in use after the run.`);
  }
  failed ||= left > MOST_LEFT || result.findings.length > 0;
  if (values.write) {
    writeFigures(name, target.checks, result, corpusFiles(name).length);
  }
}
print(`seed ${seed}`);
process.exitCode = failed ? 1 : 0;
