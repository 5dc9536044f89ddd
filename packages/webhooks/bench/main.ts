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
import { BASELINE, contenders, OURS, OURS_STANDARD, OURS_STRIPE, text } from './contenders.ts';
import { BY_HAND, INBOX, startPostgres } from './postgres.ts';
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
      'relative to stripe',
    ],
    timings.map(({ name, ms, rate }) => [
      name,
      perSecond(ms),
      times(rate[BASELINE]),
      times(rate.standardwebhooks),
      times(rate.stripe),
    ]),
  );
  const rateOf = (contender: string) => timings.find(({ name }) => name === contender)?.rate;
  atLeast(`unwrap of ${kind}: rate relative to hand-written`, rateOf(OURS)?.[BASELINE], 0.8);
  atLeast(`unwrap of ${kind}: rate relative to standardwebhooks`, rateOf(OURS)?.standardwebhooks, 2);
  atLeast(
    `standardWebhooks() with ${kind}: rate relative to standardwebhooks`,
    rateOf(OURS_STANDARD)?.standardwebhooks,
    2,
  );
  atLeast(`timestamped() with ${kind}: rate relative to stripe`, rateOf(OURS_STRIPE)?.stripe, 1);
}

const postgres = await startPostgres();
const inboxes = await measure(postgres.contenders, { rounds: 11, runs: 400, warmUp: 2, concurrency: 10 });
await postgres.stop();
printTable(
  ['Deliveries in a transaction of Postgres, 10 at once', 'per second', 'relative to by hand'],
  inboxes.map(({ name, ms, rate }) => [name, perSecond(ms), times(rate[BY_HAND])]),
);
atLeast(
  'deliveries through `postgresInbox()`: rate relative to the same transaction by hand',
  inboxes.find(({ name }) => name === INBOX)?.rate[BY_HAND],
  0.8,
);

const sizes = await compareSizes();
printTable(
  ['Bundle, min+gz', 'kB'],
  [...sizes].map(([name, bytes]) => [name, (bytes / 1000).toFixed(1)]),
);
atMost('`createWebhooks`, min+gz: bytes', sizes.get(RECEIVER), 9_500);
atMost('`sign` alone, min+gz: bytes', sizes.get(SIGN), 3_000);

printMisses();
