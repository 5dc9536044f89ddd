/** Puts a served mock under mixed load, and checks that memory, handles and latencies stay flat. */
import { toMarkdown } from '../../scripts/bench/tables.ts';
import { readCommandLine } from '../../scripts/command/read-command-line.ts';
import { judgeAll } from './judge.ts';
import { parseSoakOptions, SOAK } from './options.ts';
import { growthTable, outcomeTable, resultsOf } from './results.ts';
import { runSoak } from './run.ts';
import type { Sample } from './sample.ts';
import { handlesOf, MIB, seriesOf } from './series.ts';
import { writeResults } from './write-results.ts';

/** One line for each sample with a forced collection of garbage. */
const report = (sample: Sample): void => {
  const { seconds, requests, server, worlds, latency } = sample;
  if (server.heapBytes === undefined) {
    return;
  }
  const [heap, rss] = [server.heapBytes / MIB, server.rssBytes / MIB].map((bytes) => bytes.toFixed(1));
  // Without a call since the last line, there is no latency.
  const [p50, p99] = [latency.ours.p50, latency.ours.p99].map((ms) =>
    Number.isNaN(ms) ? '–' : `${ms.toFixed(1)} ms`,
  );
  console.log(
    `${seconds.toFixed(0)} s: ${requests} requests, heap ${heap} MiB, RSS ${rss} MiB, ${handlesOf(sample)} handles, ${worlds} worlds, p50 ${p50}, p99 ${p99}`,
  );
};

const options = readCommandLine(SOAK, parseSoakOptions);
const run = await runSoak(options, report, (what) => console.log(what));

const { judgments, faults: growth } = judgeAll(seriesOf(run.samples), run.keptPace);
if (judgments.length > 0) {
  console.log(`\n${toMarkdown(growthTable(judgments))}`);
}
console.log(`\n${toMarkdown(outcomeTable(run))}\n`);
const faults = [...growth, ...run.faults];
if (options.write && judgments.length > 0) {
  writeResults(resultsOf(run, judgments));
  console.log('Wrote the figures and the plot into docs/proof.');
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
}
console.log(faults.length === 0 ? 'Everything is flat.' : 'The run failed.');
process.exit(faults.length === 0 ? 0 : 1);
