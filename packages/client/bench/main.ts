import type { Timing } from '../../../scripts/bench/measure.ts';
import {
  atLeast,
  atMost,
  printMachine,
  printMisses,
  printTable,
  times,
} from '../../../scripts/bench/report.ts';
import { compareCalls, compareRequests, KY, OURS, THROUGH_KY } from './calls.ts';
import { createConsumer } from './consumer.ts';
import { PROCESSES, runFleet } from './fleet.ts';
import { compareLoading } from './loading.ts';
import { CONVERSATIONS, compareMessages, comparePaging, DELAY, EIGHT, ONE_BY_ONE, ROWS } from './paging.ts';
import { runRateLimited, simulateRateLimits } from './rate-limit.ts';
import { compareSizes } from './sizes.ts';
import { compareTypeMemory } from './type-memory.ts';
import type { Run } from './work.ts';
import { CALLS, CAP, WINDOW, WORKERS } from './work.ts';

const thousands = (value: number) => value.toLocaleString('en');
const find = (timings: readonly Timing[], name: string) => timings.find((timing) => timing.name === name);

printMachine();

const calls = await compareCalls();
const requests = await compareRequests();
for (const [what, timings] of [
  ['on a canned `fetch`', calls],
  ['over TCP', requests],
] as const) {
  printTable(
    [`\`leads.get\`, ${what}`, 'µs', 'relative to ky'],
    timings.map(({ name, ms, time }) => [name, (ms * 1000).toFixed(1), times(time[KY])]),
  );
}
atMost('a call on a canned `fetch`: time relative to ky', find(calls, OURS)?.time[KY], 1);
atMost('a call through `kyFetch`: time relative to ky', find(calls, THROUGH_KY)?.time[KY], 2.2);

const sizes = await compareSizes();
printTable(
  ['Bundle, min+gz', 'kB'],
  [...sizes].map(([name, bytes]) => [name, (bytes / 1000).toFixed(1)]),
);
atMost('`createClient`, min+gz: bytes', sizes.get(OURS), 32_000);

const consumer = createConsumer();
const loadings = compareLoading(consumer);
printTable(
  ['`import`, on Node', 'ms', 'relative to ky'],
  loadings.map(({ name, ms, ratio }) => [name, ms.toFixed(1), times(ratio)]),
);
atMost('`import` on Node: time relative to ky', loadings.find(({ name }) => name === OURS)?.ratio, 0.5);

const memories = compareTypeMemory(consumer);
printTable(
  ['`tsc`, for one call', 'MB', 'files'],
  memories.map(({ name, megabytes, files }) => [name, megabytes.toFixed(0), `${files}`]),
);
atMost('`tsc` for one call: MB', memories.find(({ name }) => name === OURS)?.megabytes, 66);

const printJob = (job: string, runs: readonly Run[]) =>
  printTable(
    [job, 'failed', '429s', 'seconds', 'relative to the minimum'],
    runs.map(({ name, failed, refused, ms, ratio }) => [
      name,
      thousands(failed),
      thousands(refused),
      (ms / 1000).toFixed(1),
      failed > 0 ? 'incomplete' : times(ratio),
    ]),
  );
const checkJob = (runs: readonly Run[], calls: number, most: number) => {
  for (const { name, failed, refused, ratio } of runs.filter((run) => run.name.startsWith(OURS))) {
    atMost(`${name}: time relative to the minimum`, ratio, most);
    atMost(`${name}: 429s`, refused, calls / 100);
    atMost(`${name}: failed calls`, failed, 0);
  }
};

const limited = await runRateLimited();
const simulated = await simulateRateLimits();
printJob(`${thousands(CALLS)} calls, ${WORKERS} workers, ${CAP} per window`, [...limited, ...simulated]);
console.log(`\nThe window is ${WINDOW / 1000} s, or the one named.`);
// Over TCP, the time contains that of 34 responses, one after another, which take longer on a busy machine.
checkJob(limited, CALLS, 1.05);
checkJob(simulated.slice(0, -1), CALLS, 1.05);
// In a window of a second, the first burst is a larger share of the calls, so the tolerance is wider.
checkJob(simulated.slice(-1), CALLS, 1.25);

const fleet = await runFleet();
printJob(
  `${thousands(CALLS)} calls, ${PROCESSES} processes with ${WORKERS} workers each, ${CAP} per window, one Redis`,
  fleet,
);
checkJob(fleet, CALLS, 1.1);

const pagings = await comparePaging();
const faster = (than: number | undefined) => (find(pagings, ONE_BY_ONE)?.best ?? 0) / (than ?? Number.NaN);
printTable(
  [
    `${thousands(ROWS)} rows, 100 per page, ${DELAY} ms per response`,
    'ms',
    'speedup over one page at a time',
  ],
  pagings.map(({ name, best }) => [name, best.toFixed(0), times(faster(best))]),
);
atLeast(
  '`.all()` with eight pages at once: speedup over one page at a time',
  faster(find(pagings, EIGHT)?.best),
  6,
);

const passes = await compareMessages();
const [slowest] = passes;
printTable(
  [
    `\`messagesSince\`, ${CONVERSATIONS} conversations, ${DELAY} ms per response`,
    'conversations a second',
    'speedup',
  ],
  passes.map(({ name, best }) => [
    `\`concurrency: ${name}\``,
    thousands(Math.round((CONVERSATIONS * 1000) / best)),
    times((slowest?.best ?? 0) / best),
  ]),
);
atLeast(
  '`messagesSince` with eight at once: speedup',
  (slowest?.best ?? 0) / (find(passes, '8')?.best ?? Number.NaN),
  5,
);

printMisses();
