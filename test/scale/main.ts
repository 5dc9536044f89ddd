/**
 * Measures what deliveries and a shared budget cost one core, and simulates 10,000 processes with one budget. Prints the
 * tables of docs/proof/scale.md.
 */
import { join } from 'node:path';
import { Command } from 'commander';
import { toMarkdown, writeTables } from '../../scripts/bench/tables.ts';
import type { Cost } from './measure-costs.ts';
import { measureCosts } from './measure-costs.ts';
import { measure } from './measures.ts';
import { SCENARIOS } from './scenarios.ts';
import { simulate } from './simulate.ts';

const { write } = new Command('scale')
  .description('Measures deliveries and a shared limit, and simulates 10,000 processes: docs/proof/scale.md.')
  .option('--write', 'writes the results into docs/proof')
  .parse()
  .opts<{ write?: true }>();

// Progress goes to standard error, because the tables may go to a file.
console.error('measuring Redis and deliveries');
const costs = await measureCosts();
const micros = (ms: number) => `${(ms * 1_000).toLocaleString('en', { maximumSignificantDigits: 3 })} µs`;
const costRow = (name: string, { nodeMs, redisMs, bytes }: Cost) => {
  const kept = bytes < 1 ? '' : Math.round(bytes).toLocaleString('en');
  return [name, micros(nodeMs), micros(redisMs), kept];
};
const costTable = {
  columns: ['One', 'CPU of Node', 'CPU of Redis', 'bytes in Redis'],
  rows: [
    costRow('delivery verified and queued with BullMQ', costs.receive),
    costRow('job taken by a worker, claimed, and marked as handled', costs.work),
    costRow('delivery claimed and marked with `redisDedupeStore`, without a queue', costs.dedupe),
    costRow('place of a budget taken', costs.take),
    costRow('place released', costs.release),
    costRow('process refused, and put in the line', costs.refuse),
  ],
};
// Each call takes as long as the slowest script, rounded up to 10 µs.
const slowest = Math.max(costs.take.redisMs, costs.release.redisMs, costs.refuse.redisMs);
const callMs = Math.ceil(slowest * 100) / 100;

const simulations = [];
for (const scenario of SCENARIOS) {
  console.error(`simulating "${scenario.name}"`);
  simulations.push({ name: scenario.name, measures: measure(await simulate(scenario, callMs)) });
}
const figure = (value: number): string => value.toLocaleString('en', { maximumSignificantDigits: 4 });
const simulationTable = {
  columns: ['10,000 processes', ...Object.keys(simulations[0]?.measures ?? {})],
  rows: simulations.map(({ name, measures }) => [name, ...Object.values(measures).map(figure)]),
};
const tables = [costTable, simulationTable];
console.log(tables.map(toMarkdown).join('\n\n'));

if (write) {
  writeTables(join(import.meta.dirname, '../../docs/proof/scale.md'), tables);
}
process.exit();
