import { cpus } from 'node:os';
import type { Table } from '../../scripts/bench/tables.ts';
import type { Line } from '../plot/plot.ts';
import type { Costs } from './measure-all.ts';
import { measure, sharesOf } from './measures.ts';
import { budgetNeeds, costTable, deliveryNeeds } from './needs.ts';
import type { Simulation } from './simulate.ts';

/** A simulation with the name of its scenario. */
export interface Played {
  readonly name: string;
  readonly simulation: Simulation;
}

/** The results of the command, for the page and its plots. */
export interface Results {
  readonly machine: string;
  readonly tables: readonly Table[];
  /** Requests and Redis calls of each scenario, by second. */
  readonly loads: readonly { readonly name: string; readonly lines: readonly Line[] }[];
  /** The shares of the processes by percentile, for each scenario. */
  readonly shares: readonly Line[];
}

const percent = (value: number): string => `${(100 * value).toFixed(0)} %`;

const count = (value: number): string => Math.round(value).toLocaleString('en');

/** What each simulation shows. */
const simulationTable = (played: readonly Played[]): Table => ({
  columns: [
    '10,000 processes',
    'use of the limit',
    'fullest window',
    'Jain’s index',
    'least served 1 %',
    'Redis calls per request',
    'in the busiest second',
  ],
  rows: played.map(({ name, simulation }) => {
    const { use, fullest, fairness, least, redisCallsPerRequest, peakRedisCalls } = measure(simulation);
    return [
      name,
      percent(use),
      percent(fullest),
      fairness.toFixed(3),
      percent(least),
      redisCallsPerRequest.toFixed(1),
      count(peakRedisCalls),
    ];
  }),
});

const bySecond = (name: string, values: readonly number[]): Line => ({
  name,
  points: values.map((value, second) => [second, value]),
});

const byPercentile = (name: string, shares: readonly number[]): Line => ({
  name,
  points: Array.from({ length: 101 }, (_, percentile) => [
    percentile,
    Number((shares[Math.round((percentile / 100) * (shares.length - 1))] ?? 0).toFixed(3)),
  ]),
});

/**
 * Sums up measurements and simulations.
 *
 * @param before The last one: what happened before processes formed a line.
 */
export const resultsOf = (costs: Costs, played: readonly Played[], before: Played): Results => ({
  machine: `Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores.`,
  tables: [costTable(costs), deliveryNeeds(costs), budgetNeeds(costs), simulationTable([...played, before])],
  loads: [...played, before].map(({ name, simulation: { sent, redisCalls } }) => ({
    name,
    lines: [bySecond('calls to Redis', redisCalls), bySecond('requests', sent)],
  })),
  shares: played.map(({ name, simulation }) => byPercentile(name, sharesOf(simulation.processes))),
});
