/** Runs the fuzzing targets, as docs/proof/fuzzing.md describes. */
import { Argument, Command, InvalidArgumentError } from 'commander';
import * as fc from 'fast-check';
import { loadTarget, run, targetNames } from './run.ts';

/** Inputs for one seed. A target runs seed after seed until its time is up. */
const RUNS = 500;

const integer = (text: string): number => {
  if (!/^-?\d{1,9}$/.test(text)) {
    throw new InvalidArgumentError('It must be an integer.');
  }
  return Number(text);
};

const print = (line: string) => process.stdout.write(`${line}\n`);

const command = new Command('pnpm test:fuzz')
  .description('Tries the parsers of the packages with random inputs, and shrinks an input that fails.')
  .addArgument(new Argument('[targets...]', 'Targets to run. By default, all.').choices(targetNames))
  .option('--seconds <n>', 'Seconds for each target.', integer, 60)
  .option('--seed <n>', 'The first seed. By default, each run has another one.', integer)
  .option('--path <path>', 'Runs only the input of the seed that this path leads to.')
  .parse();

const {
  seconds,
  seed = Date.now() % 1_000_000,
  path,
} = command.opts<{
  seconds: number;
  seed?: number;
  path?: string;
}>();

/** Runs one target. Returns whether every input kept its properties. */
const fuzz = async (name: string): Promise<boolean> => {
  const target = await loadTarget(name);
  const startedAt = performance.now();
  const elapsed = () => (performance.now() - startedAt) / 1_000;
  let inputs = 0;
  for (let next = seed; ; next += 1) {
    const result = await run(target, { seed: next, runs: RUNS, path });
    inputs += result.numRuns;
    const count = `${name}: ${inputs.toLocaleString('en')} inputs in ${elapsed().toFixed(1)} s`;
    if (result.failed) {
      print(`${count}, failed: ${fc.stringify(result.counterexample)}`);
      print(result.errorInstance instanceof Error ? `${result.errorInstance.stack}` : '');
      print(`Repeat it: pnpm test:fuzz ${name} --seed ${next} --path ${result.counterexamplePath}`);
      return false;
    }
    if (path !== undefined || elapsed() >= seconds) {
      print(count);
      return true;
    }
    if (process.stderr.isTTY) {
      process.stderr.write(`${count}\r`);
    }
  }
};

for (const name of command.processedArgs[0].length > 0 ? command.processedArgs[0] : targetNames) {
  if (!(await fuzz(name))) {
    process.exitCode = 1;
  }
}
print(`seed ${seed}`);
