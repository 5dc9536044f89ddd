import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceTables } from '../../scripts/bench/tables.ts';
import { drawPlot } from '../plot/plot.ts';
import type { Results } from './results.ts';

const FOLDER = join(import.meta.dirname, '../../docs/proof');

/** Draws the measures of a run over its time. */
const drawResults = ({ lines }: Pick<Results, 'lines'>): string =>
  drawPlot({
    title: 'Memory, handles and latencies of a served mock under load',
    xTitle: 'minutes',
    panels: [
      { title: 'Memory, MiB', lines: lines.memory },
      { title: 'Handles and worlds of the server', lines: lines.handles },
      { title: 'Latency of a call, ms', lines: lines.latency },
    ],
  });

/** Writes the results of a run for the documentation: as JSON, as a plot, and into the tables of their page. */
export const writeResults = (results: Results): void => {
  const page = join(FOLDER, 'soak.md');
  writeFileSync(page, replaceTables(readFileSync(page, 'utf8'), results.tables));
  writeFileSync(join(FOLDER, 'soak.json'), `${JSON.stringify(results)}\n`);
  writeFileSync(join(FOLDER, 'pictures/soak.svg'), drawResults(results));
};
