import type { Mutant } from './mutant.ts';

const LIMITER = 'packages/client/src/rate-limit/limiter.ts';

/** The code that gives a waiting call its permit. */
const SETTLE = `          leave();
          resolve(result);`;

/** Faults of the queue in the limiter that were fixed once. Each is put back as the same fault in its present form. */
export const limiterMutants: readonly Mutant[] = [
  {
    name: 'forgotten-call',
    fault: 'A call whose turn comes after it was told to wait longer is forgotten.',
    fixedBy: ['20942b3', 'Start a call that may start right after it was told to wait'],
    replacements: [
      {
        file: LIMITER,
        from: SETTLE,
        to: `          const toldToWait = timer !== undefined;
          leave();
          if (!toldToWait) {
            resolve(result);
          }`,
      },
    ],
  },
  {
    name: 'overtaken-call',
    fault: 'A call that wakes up by itself starts after those that are granted after it.',
    fixedBy: ['48e6dd6', 'Start calls that wait for the rate limit in the order in which they were made'],
    replacements: [
      { file: LIMITER, from: '  let inFlight = 0;\n', to: '  let inFlight = 0;\n  let woken: unknown;\n' },
      {
        file: LIMITER,
        from: '          timer = undefined;\n          pump();',
        to: '          timer = undefined;\n          woken = arrivals.first();\n          pump();',
      },
      {
        file: LIMITER,
        from: SETTLE,
        to: `          const wokeUp = woken === this;
          leave();
          void (wokeUp ? Promise.resolve().then(() => {}).then(() => resolve(result)) : resolve(result));`,
      },
    ],
  },
];
