/**
 * Measures what deliveries and a shared budget cost one core, computes what many of them need, and simulates 10,000
 * processes with one budget. Prints the tables of docs/proof/scale.md; `--write` puts them there, with their plots.
 */
import { parseArgs } from 'node:util';
import { toMarkdown } from '../../scripts/bench/tables.ts';
import { measureAll } from './measure-all.ts';
import type { Played } from './results.ts';
import { resultsOf } from './results.ts';
import { SCENARIOS, WITHOUT_LINE } from './scenarios.ts';
import type { Scenario } from './simulate.ts';
import { simulate } from './simulate.ts';
import { writeResults } from './write-results.ts';

/** How fast the Redis of the simulation is: as measured, rounded up. */
const SPEED = { callMs: 0.02, roundTripMs: 1 } as const;

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });

const play = async (scenario: Scenario): Promise<Played> => {
  console.error(`Simulating: ${scenario.name}`);
  return { name: scenario.name, simulation: await simulate(scenario, SPEED) };
};

console.error('Measuring Redis, a receiver and a worker');
const costs = await measureAll();
const played: Played[] = [];
for (const scenario of SCENARIOS) {
  played.push(await play(scenario));
}
const results = resultsOf(costs, played, await play(WITHOUT_LINE));
console.log(results.tables.map((table) => toMarkdown(table)).join('\n\n'));
if (values.write) {
  writeResults(results);
}
process.exit();
