import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceTables } from '../../scripts/bench/tables.ts';
import { drawPlot } from '../plot/plot.ts';
import type { Results } from './results.ts';

const FOLDER = join(import.meta.dirname, '../../docs/proof');

/** Draws the load of the API and of Redis in each scenario. */
const drawLoads = ({ loads }: Pick<Results, 'loads'>): string =>
  drawPlot({
    title: 'Requests and calls to Redis in each scenario, by second',
    xTitle: 'seconds',
    panels: loads.map(({ name, lines }) => ({ title: `${name}, per second`, lines })),
  });

/** Draws how much of its fair share each process got. */
const drawShares = ({ shares }: Pick<Results, 'shares'>): string =>
  drawPlot({
    title: 'What each process got, relative to its fair share',
    xTitle: 'processes, in percent, the least served first',
    panels: shares.map((line) => ({
      title: line.name,
      lines: [{ ...line, name: 'share, up to 2' }],
      top: 2,
    })),
  });

/** Writes the results for the documentation: as JSON, as plots, and into the tables of their page. */
export const writeResults = (results: Results): void => {
  const page = join(FOLDER, 'scale.md');
  writeFileSync(page, replaceTables(readFileSync(page, 'utf8'), results.tables));
  writeFileSync(join(FOLDER, 'scale.json'), `${JSON.stringify(results)}\n`);
  writeFileSync(join(FOLDER, 'pictures/budget-load.svg'), drawLoads(results));
  writeFileSync(join(FOLDER, 'pictures/budget-shares.svg'), drawShares(results));
};
