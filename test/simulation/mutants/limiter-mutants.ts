import type { Mutant } from './mutant.ts';

const WAITER = 'packages/client/src/rate-limit/waiter.ts';

/** The code that gives a waiting call its permit. */
const GRANT = `        leave();
        resolve(permit);`;

/** Faults of the queue in the limiter that were fixed once. Each is put back as the same fault in its present form. */
export const limiterMutants: readonly Mutant[] = [
  {
    name: 'forgotten-call',
    fault: 'A call whose turn comes after it was told to wait longer is forgotten.',
    fixedBy: ['20942b3', 'Start a call that may start right after it was told to wait'],
    replacements: [
      {
        file: WAITER,
        from: GRANT,
        to: `        const toldToWait = waiter.until !== undefined;
        leave();
        if (!toldToWait) {
          resolve(permit);
        }`,
      },
    ],
  },
  {
    name: 'overtaken-call',
    fault: 'A call that wakes up by itself starts after those that are granted after it.',
    fixedBy: ['48e6dd6', 'Start calls that wait for the rate limit in the order in which they were made'],
    replacements: [
      {
        file: WAITER,
        from: GRANT,
        to: `        const wokeUp = call.attempts === 0 && waiter.woken;
        leave();
        void (wokeUp ? Promise.resolve().then(() => {}).then(() => resolve(permit)) : resolve(permit));`,
      },
      {
        file: WAITER,
        from: '        waiter.until = undefined;\n        pump();',
        to: '        waiter.until = undefined;\n        waiter.woken = true;\n        pump();',
      },
    ],
  },
];
