import { cpus } from 'node:os';
import { compareInProcess, MIXED, MSW, OURS } from './in-process.ts';
import { compareServers, PLAIN, OURS as SERVE } from './servers.ts';
import { compareSizes } from './sizes.ts';

const misses: string[] = [];
const times = (ratio: number | undefined) => `${(ratio ?? Number.NaN).toFixed(2)} ×`;
const µs = (value: number) => value.toFixed(value < 100 ? 1 : 0);

const atLeast = (what: string, value: number | undefined, floor: number) => {
  if (!((value ?? Number.NaN) >= floor))
    misses.push(`${what}: ${value?.toFixed(2)}, and the floor is ${floor}`);
};
const atMost = (what: string, value: number, floor: number) => {
  if (!(value <= floor)) misses.push(`${what}: ${value.toFixed(2)}, and the most is ${floor}`);
};

console.log(`Node ${process.version}, ${cpus()[0]?.model.trim()}, ${cpus().length} cores.\n`);

console.log(
  `| In-process, 1,000 leads | ${OURS}, µs | ${MSW}, µs | ${OURS} against msw |\n|---|---:|---:|---:|`,
);
for (const { work, rates } of await compareInProcess()) {
  const [ours, msw] = rates;
  console.log(
    `| ${work} | ${µs(ours?.microseconds ?? 0)} | ${µs(msw?.microseconds ?? 0)} | ${times(ours?.against[MSW])} |`,
  );
  if (work === MIXED) atLeast('mock.fetch against msw', ours?.against[MSW], 2);
}

console.log(`\n| Over TCP: a page of 25 leads | a second | against plain node:http |\n|---|---:|---:|`);
for (const { name, microseconds, against } of await compareServers()) {
  const rate = Math.round(1e4 / microseconds) * 100;
  console.log(`| ${name} | ${rate.toLocaleString('en')} | ${times(against[PLAIN])} |`);
  if (name === SERVE) atLeast('serve() against plain node:http', against[PLAIN], 0.6);
}

const { growth, snapshot, restore } = await compareSizes();
console.log(
  `\n| Leads in memory | 1,000, µs | 100,000, µs | time, large against small |\n|---|---:|---:|---:|`,
);
for (const { work, small, large, ratio } of growth) {
  console.log(`| ${work} | ${µs(small)} | ${µs(large)} | ${times(ratio)} |`);
  atMost(`${work}, 100,000 leads against 1,000`, ratio, 2);
}

console.log(`\n| 100,000 leads, slowest of 20 | ms |\n|---|---:|`);
console.log(`| snapshot() | ${snapshot.toFixed(2)} |\n| restore() | ${restore.toFixed(2)} |`);
atMost('snapshot() in ms', snapshot, 5);
atMost('restore() in ms', restore, 5);

if (misses.length > 0) {
  console.error(misses.join('\n'));
  process.exitCode = 1;
}
