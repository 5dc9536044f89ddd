import { execFileSync } from 'node:child_process';
import { median } from '../../../scripts/bench/measure.ts';
import { KY, OURS } from './calls.ts';

/** The package of each contender. */
const IMPORTS: Readonly<Record<string, string>> = {
  [KY]: 'ky',
  [OURS]: '@confab/client',
  openai: 'openai',
  stripe: 'stripe',
};

const ROUNDS = 21;

/** How long Node takes to import a package. */
export interface Loading {
  readonly name: string;
  /** Milliseconds, the median over all rounds. */
  readonly ms: number;
  /** Time relative to ky in the same round, the median over all rounds. */
  readonly ratio: number;
}

/** Milliseconds of one import in a new process, without the start of the process. */
const timeOf = (specifier: string, project: string): number => {
  const code = `const start = performance.now(); await import('${specifier}'); console.log(performance.now() - start);`;
  const args = ['--input-type=module', '--eval', code];
  return Number(execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' }));
};

/** The time of `import`, in new processes and in turns. */
export const compareLoading = (project: string): Loading[] => {
  const rounds: Readonly<Record<string, number>>[] = [];
  // The first round only fills the caches of the file system.
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push(
      Object.fromEntries(Object.entries(IMPORTS).map(([name, from]) => [name, timeOf(from, project)])),
    );
  }
  const counted = rounds.slice(1);
  return Object.keys(IMPORTS).map((name) => ({
    name,
    ms: median(counted.map((times) => times[name] ?? Number.NaN)),
    ratio: median(counted.map((times) => (times[name] ?? Number.NaN) / (times[KY] ?? Number.NaN))),
  }));
};
