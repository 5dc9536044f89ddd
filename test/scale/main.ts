/**
 * Measures what deliveries and a shared budget cost one core, computes what many of them need, and simulates 10,000
 * processes with one budget. Prints the tables of docs/proof/scale.md.
 */
import { toMarkdown } from '../../scripts/bench/tables.ts';
import { readCommandLine } from '../../scripts/command/read-command-line.ts';
import { measureAll } from './measure-all.ts';
import { parseScaleOptions, SCALE } from './options.ts';
import type { Played } from './results.ts';
import { resultsOf } from './results.ts';
import { SCENARIOS, WITHOUT_LINE } from './scenarios.ts';
import type { Scenario } from './simulate.ts';
import { simulate } from './simulate.ts';
import { speedOf } from './speed-of.ts';
import { writeResults } from './write-results.ts';

const { write } = readCommandLine(SCALE, parseScaleOptions);

/** The measurements of Redis and of deliveries, and the simulations. */
const STEPS = 2 + SCENARIOS.length + 1;

let step = 0;
/** Goes to the standard error, because the tables may go to a file. */
const say = (what: string): void => {
  step += 1;
  console.error(`${step} of ${STEPS}: ${what}`);
};

const costs = await measureAll(say);
const speed = speedOf(costs);

const play = async (scenario: Scenario): Promise<Played> => {
  say(`simulating "${scenario.name}"`);
  return { name: scenario.name, simulation: await simulate(scenario, speed) };
};

const played: Played[] = [];
for (const scenario of SCENARIOS) {
  played.push(await play(scenario));
}
const results = resultsOf(costs, played, await play(WITHOUT_LINE));
console.log(results.tables.map((table) => toMarkdown(table)).join('\n\n'));
if (write) {
  writeResults(results);
  console.error('Wrote the tables and plots into docs/proof.');
}
process.exit();
