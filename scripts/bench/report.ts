import { cpus } from 'node:os';

const misses: string[] = [];

/** Remembers a floor that was missed; so does a value that is not there. */
export const atLeast = (what: string, value: number | undefined, floor: number): void => {
  if (!(value !== undefined && value >= floor)) {
    misses.push(`${what}: ${value}, and the floor is ${floor}`);
  }
};

/** {@link atLeast}, of a bound from above. */
export const atMost = (what: string, value: number | undefined, most: number): void => {
  if (!(value !== undefined && value <= most)) {
    misses.push(`${what}: ${value}, and the most is ${most}`);
  }
};

/** A ratio, as the tables have it. */
export const times = (ratio: number | undefined): string => `${(ratio ?? Number.NaN).toFixed(2)} ×`;

/** Runs a second, rounded to a hundred. */
export const perSecond = (ms: number): string => (Math.round(10 / ms) * 100).toLocaleString('en');

/** Says what it was measured on. */
export const printMachine = (): void =>
  console.log(`Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores.`);

/** Prints a table in Markdown: the first column holds names, the others numbers. */
export const printTable = (head: readonly string[], rows: readonly (readonly string[])[]): void => {
  console.log(`\n| ${head.join(' | ')} |\n|---|${'---:|'.repeat(head.length - 1)}`);
  for (const cells of rows) {
    console.log(`| ${cells.join(' | ')} |`);
  }
};

/** Says which floors were missed, and lets the process fail if any was. */
export const printMisses = (): void => {
  if (misses.length === 0) {
    return;
  }
  console.error(`\n${misses.join('\n')}`);
  process.exitCode = 1;
};
