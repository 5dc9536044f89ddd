import { expect, test } from 'vitest';
import type { Entry, Step } from './journal.ts';
import type { Outcome, Verdict } from './judge.ts';
import { judge } from './judge.ts';

const delivery = (id: string, kind: 'fine' | 'flaky' | 'poison') => ({ id, kind });

/** `start 1 a`: process 1 starts the handler of delivery a. */
const journalOf = (...lines: string[]): Entry[] =>
  lines.map((line) => {
    const [step, pid, of = ''] = line.split(' ');
    return { step: step as Step, pid: Number(pid), delivery: of };
  });

const HANDLED = ['start 1 a', 'finish 1 a', 'completed 1 a'];

const verdictOn = (journal: readonly string[], rest: Partial<Outcome> = {}): Verdict =>
  judge({
    deliveries: [delivery('a', 'fine')],
    journal: journalOf(...journal),
    deadLetters: [],
    attempts: 2,
    unfinished: { waiting: 0, active: 0 },
    ...rest,
  });

test('a delivery that was handled once is as promised', () => {
  expect(verdictOn(HANDLED)).toEqual({ problems: [], runs: 1, cutOff: 0, unconfirmed: 0, repeated: 0 });
});

test('a run that failed, or whose process was killed, may be repeated', () => {
  const journal = ['start 2 a', 'fail 2 a', 'start 2 a', 'killed 2', ...HANDLED];
  expect(verdictOn(journal)).toEqual({ problems: [], runs: 3, cutOff: 1, unconfirmed: 0, repeated: 0 });
});

test('a run that was killed between the end of its handler and the record of it counts as unconfirmed', () => {
  const journal = ['start 2 a', 'finish 2 a', 'killed 2'];
  expect(verdictOn(journal)).toMatchObject({ problems: [], unconfirmed: 1, repeated: 0 });
  expect(verdictOn([...journal, ...HANDLED])).toMatchObject({ problems: [], unconfirmed: 1, repeated: 1 });
});

test.for<[problem: string, journal: string[]]>([
  ['a was never handled.', []],
  ['a was never handled.', ['start 1 a', 'killed 1']],
  ['a ran again after it had been handled.', [...HANDLED, 'start 2 a', 'finish 2 a', 'completed 2 a']],
  ['a ran again after it had been handled.', [...HANDLED, 'killed 1', 'start 2 a', 'killed 2']],
  [
    'a ran again after its handler had finished in a process that was not killed.',
    ['start 1 a', 'finish 1 a', 'start 2 a', 'completed 1 a', 'fail 2 a'],
  ],
  ['a ran twice at the same time.', ['start 2 a', ...HANDLED, 'fail 2 a']],
  ['a ran twice at the same time.', ['start 2 a', 'start 1 a', 'killed 2', 'finish 1 a', 'completed 1 a']],
  ['A run in process 1, which was not killed, ended as "running".', ['start 1 a']],
  ['A run in process 1, which was not killed, ended as "finished".', ['start 1 a', 'finish 1 a']],
  ['a has "completed" while its run is failed.', ['start 1 a', 'fail 1 a', 'completed 1 a']],
  ['a has "finish" while its run is not there.', ['finish 1 a']],
])('it is a broken promise that %s', ([problem, journal]) => {
  expect(verdictOn(journal).problems).toContain(problem);
});

const poison = { deliveries: [delivery('p', 'poison')] };
const FAILED = ['start 1 p', 'fail 1 p', 'start 1 p', 'fail 1 p'];

test('a delivery that always fails has to be a dead letter, once, after all attempts', () => {
  const dead = { delivery: 'p', attempts: 2 };
  const problems = (...deadLetters: (typeof dead)[]) =>
    verdictOn(FAILED, { ...poison, deadLetters }).problems;
  expect(problems(dead)).toEqual([]);
  expect(problems()).toEqual(['p always fails, and is not among the dead letters.']);
  expect(problems({ ...dead, attempts: 1 })).toEqual(['p was given up after 1 attempts instead of 2.']);
  expect(problems(dead, dead)).toEqual(['A delivery has several dead letters.']);
  expect(
    verdictOn(['start 1 p', 'finish 1 p', 'completed 1 p'], { ...poison, deadLetters: [dead] }).problems,
  ).toContain('p always fails, and was handled.');
});

test('nothing else may be a dead letter', () => {
  const deadLetters = ['a', 'x'].map((id) => ({ delivery: id, attempts: 2 }));
  expect(verdictOn(HANDLED, { deadLetters }).problems).toEqual([
    'a is a dead letter, and should have been handled.',
    'x is a dead letter, and was never sent.',
  ]);
});

test('nothing may be left in the queue', () => {
  expect(verdictOn(HANDLED, { unfinished: { waiting: 0, active: 2 } }).problems).toEqual([
    '2 jobs are left in state "active".',
  ]);
});
