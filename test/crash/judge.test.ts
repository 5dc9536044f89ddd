import { expect, test } from 'vitest';
import type { Kind, Outcome } from './judge.ts';
import { judge, parseEntry } from './judge.ts';

/** In the lines, `start 1 a` means that process 1 started the handler of delivery a. */
const verdictOn = (lines: readonly string[], kind: Kind = 'fine', rest: Partial<Outcome> = {}) => {
  const journal = lines.map(parseEntry);
  return judge({ deliveries: [{ id: 'a', kind }], journal, deadLetters: [], attempts: 2, ...rest });
};

const HANDLED = ['start 1 a', 'finish 1 a', 'completed 1 a'];
const KILLED = ['start 2 a', 'finish 2 a', 'killed 2'];

test.for<[runs: number, cutOff: number, journal: string[]]>([
  [1, 0, HANDLED],
  [3, 1, ['start 2 a', 'fail 2 a', 'start 2 a', 'killed 2', ...HANDLED]],
  [1, 0, KILLED],
  [2, 0, [...KILLED, ...HANDLED]],
])('judge() finds no problem in %i runs, %i of them cut off by a kill: %j', ([runs, cutOff, journal]) => {
  expect(verdictOn(journal)).toEqual({ problems: [], runs, cutOff });
});

test.for<[problem: string, journal: string[]]>([
  ['a was never handled.', []],
  ['a was never handled.', ['start 1 a', 'killed 1']],
  ['a ran again after it had been handled.', [...HANDLED, 'start 2 a', 'finish 2 a', 'completed 2 a']],
  ['a ran again after it had been handled.', [...HANDLED, 'killed 1', 'start 2 a', 'killed 2']],
  ['a ran twice at the same time.', ['start 1 a', 'finish 1 a', 'start 2 a', 'completed 1 a', 'fail 2 a']],
  ['a ran twice at the same time.', ['start 2 a', ...HANDLED, 'fail 2 a']],
  ['a ran twice at the same time.', ['start 2 a', 'start 1 a', 'killed 2', 'finish 1 a', 'completed 1 a']],
  ['A run in process 1, which was not killed, ended with "start".', ['start 1 a']],
  ['A run in process 1, which was not killed, ended with "finish".', ['start 1 a', 'finish 1 a']],
  ['a has "completed" after "fail".', ['start 1 a', 'fail 1 a', 'completed 1 a']],
])('judge() reports: %s', ([problem, journal]) => {
  expect(verdictOn(journal).problems).toContain(problem);
});

const FAILED = ['start 1 a', 'fail 1 a', 'start 1 a', 'fail 1 a'];
const dead = { delivery: 'a', attempts: 2 };

test.for<[problem: string | undefined, journal: string[], kind: Kind, deadLetters: Outcome['deadLetters']]>([
  [undefined, FAILED, 'poison', [dead]],
  ['The dead letters are none, but should be a.', FAILED, 'poison', []],
  ['The dead letters are a, a, but should be a.', FAILED, 'poison', [dead, dead]],
  ['The dead letters are a, but should be none.', HANDLED, 'fine', [dead]],
  ['a was given up after one attempt instead of 2.', FAILED, 'poison', [{ ...dead, attempts: 1 }]],
  ['a always fails, and was handled.', HANDLED, 'poison', [dead]],
])(
  'judge() expects one dead letter for each delivery that always fails, and reports: %s',
  ([problem, journal, kind, deadLetters]) => {
    expect(verdictOn(journal, kind, { deadLetters }).problems).toEqual(
      problem === undefined ? [] : [problem],
    );
  },
);
