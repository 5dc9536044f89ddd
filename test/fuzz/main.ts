/** Fuzzes the packages, as docs/proof/fuzzing.md describes it. */
import { bytesInUse } from '@confab/internal/test-support';
import type { Finding, FuzzResult } from './engine/fuzz.ts';
import { fuzz } from './engine/fuzz.ts';
import { instrumentPackages, wordsOfSources } from './engine/instrument.ts';
import { runInput } from './engine/run-input.ts';
import { corpusFiles, keptInputs, writeFinding } from './store.ts';
import { targets } from './targets/index.ts';

/** Bytes that a run may leave in memory: the inputs that it keeps, and the code that V8 compiled meanwhile. */
const MOST_LEFT = 64 * 1_024 * 1_024;

// Only modules that are imported from now on are counted. The parser of flags is one of them, and is itself fuzzed.
instrumentPackages();
const { readCommandLine } = await import('../../scripts/command/read-command-line.ts');
const { FUZZ, parseFuzzPlan } = await import('./options.ts');
const { writeFigures } = await import('./figures.ts');
const { names, runs, seconds, seed, input, write } = readCommandLine(FUZZ, parseFuzzPlan);

const print = (line: string) => process.stdout.write(`${line}\n`);

const describe = (name: string, { inputs, seconds, corpus, features, findings }: FuzzResult): string => {
  const rate = Math.round(inputs / seconds).toLocaleString('en');
  return `${name}: ${inputs.toLocaleString('en')} inputs in ${seconds.toFixed(1)} s (${rate}/s), corpus of ${corpus.length}, ${features} new features, ${findings.length} findings`;
};

const report = (name: string, finding: Finding): void => {
  const command = writeFinding(name, finding);
  const { input, error, tried } = finding;
  print(`${name}: failed after ${tried.toLocaleString('en')} inputs\n  ${error.stack ?? error.message}`);
  // Of a nightly run, only the output stays.
  print(`  ${command}\n  The input in base64: ${Buffer.from(input).toString('base64')}`);
};

let failed = false;
for (const name of names) {
  const { target } = (await targets.get(name)?.()) ?? {};
  if (target === undefined) {
    continue;
  }
  if (input !== undefined) {
    const error = await runInput(target, input);
    print(`${name}: ${error?.stack ?? 'every property holds'}`);
    failed ||= error !== undefined;
    continue;
  }
  const before = await bytesInUse();
  const result = await fuzz(target, {
    seeds: keptInputs(name),
    words: wordsOfSources(),
    seed,
    runs,
    seconds,
    onFinding: (finding) => report(name, finding),
  });
  const left = (await bytesInUse()) - before;
  print(describe(name, result));
  if (left > MOST_LEFT) {
    print(`  ${Math.round(left / 1_048_576)} MiB stay in use after the run.`);
  }
  failed ||= left > MOST_LEFT || result.findings.length > 0;
  if (write) {
    writeFigures(name, target.checks, result, corpusFiles(name).length);
  }
}
if (input === undefined) {
  print(`seed ${seed}`);
}
process.exitCode = failed ? 1 : 0;
