import { cpus } from 'node:os';
import { compareCalls, compareRequests, KY, OURS } from './calls.ts';
import { comparePaging, DELAY, EIGHT, ONE_BY_ONE, ROWS } from './paging.ts';
import { CALLS, CAP, runLearning, runRateLimited, WINDOW, WORKERS } from './rate-limit.ts';
import type { Timing } from './rates.ts';
import { measureSizes } from './sizes.ts';

const times = (ratio: number | undefined) => `${(ratio ?? Number.NaN).toFixed(2)} ×`;
const thousands = (value: number) => value.toLocaleString('en');
const find = (timings: readonly Timing[], name: string) => timings.find((timing) => timing.name === name);

const misses: string[] = [];
const atMost = (what: string, value: number | undefined, most: number) => {
  if (!((value ?? Number.NaN) <= most)) misses.push(`${what}: ${value}, and the most is ${most}`);
};
const atLeast = (what: string, value: number, least: number) => {
  if (!(value >= least)) misses.push(`${what}: ${value}, and the floor is ${least}`);
};
const table = (head: string, align: string, rows: readonly (readonly string[])[]) => {
  console.log(`\n| ${head} |\n|${align}|`);
  for (const cells of rows) console.log(`| ${cells.join(' | ')} |`);
};

console.log(`Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores.`);

const calls = await compareCalls();
const requests = await compareRequests();
for (const [what, timings] of [
  ['on a canned `fetch`', calls],
  ['over TCP', requests],
] as const) {
  table(
    `\`leads.get\`, ${what} | µs | against ky`,
    '---|---:|---:',
    timings.map(({ name, ms, against }) => [name, (ms * 1000).toFixed(1), times(against[KY])]),
  );
}
atMost('time of a call on a canned fetch against ky', find(calls, OURS)?.against[KY], 1.5);

const sizes = await measureSizes();
table(
  'Bundle, min+gz | kB',
  '---|---:',
  sizes.map(([name, bytes]) => [name, (bytes / 1000).toFixed(1)]),
);
atMost('bytes of createClient', sizes[0]?.[1], 22_000);

const runs = [...(await runRateLimited()), await runLearning()];
table(
  `${thousands(CALLS)} calls, ${WORKERS} workers, ${CAP} per window | failed | answered 429 | seconds | against the least possible`,
  '---|---:|---:|---:|---:',
  runs.map(({ name, failed, refused, ms, ratio }) => [
    name,
    thousands(failed),
    thousands(refused),
    (ms / 1000).toFixed(1),
    failed > 0 ? 'not done' : times(ratio),
  ]),
);
console.log(
  `\nThe window is ${WINDOW / 1000} s; for \`'learn'\` it is the API's minute, on a virtual clock.`,
);
for (const { name, failed, refused, ratio } of runs.filter((run) => run.name.startsWith(OURS))) {
  atMost(`time of ${name} against the least possible`, ratio, 1.05);
  atMost(`answers 429 of ${name}`, refused, CALLS / 100);
  atMost(`failed calls of ${name}`, failed, 0);
}

const pagings = await comparePaging();
const faster = (than: number | undefined) => (find(pagings, ONE_BY_ONE)?.best ?? 0) / (than ?? Number.NaN);
table(
  `${thousands(ROWS)} rows, 100 a page, ${DELAY} ms an answer | ms | faster than one page at a time`,
  '---|---:|---:',
  pagings.map(({ name, best }) => [name, best.toFixed(0), times(faster(best))]),
);
atLeast('.all() with 8 pages at once against one', faster(find(pagings, EIGHT)?.best), 6);

if (misses.length > 0) {
  console.error(`\n${misses.join('\n')}`);
  process.exitCode = 1;
}
