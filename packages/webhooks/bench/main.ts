import { measure } from '../../../scripts/bench/measure.ts';
import {
  atLeast,
  atMost,
  perSecond,
  printMachine,
  printMisses,
  printTable,
  times,
} from '../../../scripts/bench/report.ts';
import { BASELINE, contenders, OURS, text } from './contenders.ts';
import { compareSizes, RECEIVER, SIGN } from './sizes.ts';

printMachine();
console.log(`\nA body of ${Buffer.byteLength(text)} bytes.`);

for (const kind of ['text', 'bytes'] as const) {
  const timings = await measure(contenders[kind], { rounds: 31, runs: 4000, warmUp: 3 });
  printTable(
    [
      `Verify and parse, body as ${kind}`,
      'per second',
      'relative to hand-written',
      'relative to standardwebhooks',
    ],
    timings.map(({ name, ms, rate }) => [
      name,
      perSecond(ms),
      times(rate[BASELINE]),
      times(rate.standardwebhooks),
    ]),
  );
  const ours = timings.find(({ name }) => name === OURS);
  atLeast(`unwrap of ${kind} against by hand`, ours?.rate[BASELINE], 0.8);
  atLeast(`unwrap of ${kind} against standardwebhooks`, ours?.rate.standardwebhooks, 2);
}

const sizes = await compareSizes();
printTable(
  ['Bundle, min+gz', 'kB'],
  [...sizes].map(([name, bytes]) => [name, (bytes / 1000).toFixed(1)]),
);
atMost('bytes of createWebhooks', sizes.get(RECEIVER), 8_000);
atMost('bytes of sign', sizes.get(SIGN), 2_000);

printMisses();
