import {
  atLeast,
  atMost,
  perSecond,
  printMachine,
  printMisses,
  printTable,
  times,
} from '../../../scripts/bench/report.ts';
import { compareInProcess, FAULTY, MIXED, MSW, OURS } from './in-process.ts';
import { compareServers, PLAIN, OURS as SERVE, WATCHED } from './servers.ts';
import { compareSizes, SEARCH } from './sizes.ts';
import { measureWorlds } from './worlds.ts';

const µs = (ms = Number.NaN) => (ms * 1000).toFixed(ms < 0.1 ? 1 : 0);

printMachine();

const comparisons = await compareInProcess();
printTable(
  ['In-process, 1,000 leads', `${OURS}, µs`, `${MSW}, µs`, `${OURS} relative to msw`],
  comparisons.map(({ work, timings: [ours, msw] }) => [
    work,
    µs(ours?.ms),
    µs(msw?.ms),
    times(ours?.rate[MSW]),
  ]),
);
for (const [kind, words] of [
  [MIXED, ''],
  [FAULTY, ', with `match` faults planned'],
] as const) {
  const { timings: [ours] = [] } = comparisons.find(({ work }) => work === kind) ?? {};
  atLeast(`\`mock.fetch\`, four kinds of request${words}: rate relative to msw`, ours?.rate[MSW], 2.5);
}

const servers = await compareServers();
printTable(
  ['Over TCP: a page of 25 leads', 'per second', 'relative to plain node:http'],
  servers.map(({ name, ms, rate }) => [name, perSecond(ms), times(rate[PLAIN])]),
);
for (const served of [SERVE, WATCHED]) {
  atLeast(
    `${served}: rate relative to plain node:http`,
    servers.find(({ name }) => name === served)?.rate[PLAIN],
    0.7,
  );
}

const { median, megabytes } = await measureWorlds();
printTable(
  ['Worlds over TCP', 'measured'],
  [
    ['create one, median of 1,000, ms', median.toFixed(2)],
    ['memory that 1,000 keep in use, MB', megabytes.toFixed(0)],
  ],
);
atMost('creating a world over TCP: ms', median, 5);
atMost('memory of 1,000 worlds: MB', megabytes, 200);

const { growth, snapshot, restore } = await compareSizes();
printTable(
  ['Leads in memory', '1,000, µs', '100,000, µs', 'time ratio'],
  growth.map(({ work, small, large, ratio }) => [work, µs(small), µs(large), times(ratio)]),
);
for (const { work, ratio } of growth) {
  if (work !== SEARCH) {
    atMost(`${work}: time with 100,000 leads relative to 1,000`, ratio, 1.5);
  }
}

printTable(
  ['100,000 leads, slowest of 20', 'ms'],
  [
    ['snapshot()', snapshot.toFixed(2)],
    ['restore()', restore.toFixed(2)],
  ],
);
atMost('snapshot() of 100,000 leads: ms', snapshot, 5);
atMost('restore() of 100,000 leads: ms', restore, 5);

printMisses();
