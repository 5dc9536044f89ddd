/** Puts a mock server under mixed load, and checks that its memory, handles and latencies stay flat. */
import { deepEqual, ok } from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytesInUse, eventually } from '@confab/internal/test-support';
import { connectMock } from '@confab/mock/remote';
import { Command } from 'commander';
import { toMarkdown, writeTables } from '../../scripts/bench/tables.ts';
import { startChild } from '../support/start-child.ts';
import type { Sample } from './compare-windows.ts';
import { compareWindows } from './compare-windows.ts';
import { startLoad } from './load.ts';
import type { ServerFigures } from './server.ts';

const MIB = 1_048_576;

/** The number of samples in a run. */
const SAMPLES = 20;

/** Milliseconds after the load in which connections and abandoned worlds must end. */
const withinMs = 20_000;

const { minutes, leak, write } = new Command('soak')
  .description('Puts a mock server under mixed load, and checks that it stays flat: docs/proof/soak.md.')
  .option('--minutes <minutes>', 'length of the run', Number, 10)
  .option('--leak', 'leaks memory and handles on purpose, to show that the check notices')
  .option('--write', 'writes the results into docs/proof')
  .parse()
  .opts<{ minutes: number; leak?: true; write?: true }>();

const round = (value: number): number => Number(value.toFixed(1));

const here = (file: string) => new URL(file, import.meta.url);
// V8 may double the young generation at any time, which would look like growth of the RSS.
const flags = ['--min-semi-space-size=16', '--max-semi-space-size=16'];
const server = await startChild<ServerFigures>(here('server.ts'), leak ? ['leak'] : [], flags);
const bare = await startChild<{ readonly url: string }>(here('bare-server.ts'));
const remote = await connectMock(server.greeting.url);
const load = await startLoad(remote, bare.greeting.url);

const samples: Sample[] = [];
for (let index = 1; index <= SAMPLES; index += 1) {
  await sleep((minutes * 60_000) / SAMPLES);
  const { heapBytes, rssBytes, handles } = await server.ask();
  const sample = {
    'heap of the server, MiB': heapBytes / MIB,
    'RSS of the server, MiB': rssBytes / MIB,
    'heap of the load, MiB': (await bytesInUse()) / MIB,
    'handles of the server': handles.length,
    worlds: (await remote.worlds.list()).length,
    'p99 relative to a bare server': load.relativeP99(),
  };
  samples.push(sample);
  console.log(index, ...Object.values(sample).map(round));
}
await load.stop();

const rows = compareWindows(samples);
const done = { minutes, requests: (await server.ask()).requests, ...load.counts };
const tables = [
  {
    columns: ['Median of a window', 'third fifth', 'last fifth', 'growth', 'flat up to'],
    rows: rows.map(({ name, first, last, growth, bound }) => [
      name,
      ...[first, last, growth, bound].map(round).map(String),
    ]),
  },
  {
    columns: ['Done', 'count'],
    rows: Object.entries(done).map(([name, count]) => [name, count.toLocaleString('en')]),
  },
];
console.log(`\n${tables.map(toMarkdown).join('\n\n')}\n`);
if (write) {
  writeTables(join(import.meta.dirname, '../../docs/proof/soak.md'), tables);
}

const grown = rows.filter(({ grows }) => grows).map(({ name }) => name);
ok(grown.length === 0, `These grow: ${grown.join('; ')}.`);
ok(load.counts.failures === 0, `${load.counts.failures} actions failed that should not.`);
// Abandoned worlds go first: asking for them keeps a connection open.
await eventually(async () => deepEqual(await remote.worlds.list(), []), { withinMs });
const { length } = server.greeting.handles;
await eventually(async () => deepEqual((await server.ask()).handles.slice(length), []), { withinMs });
console.log('Everything is flat.');
process.exit();
