import { expect, test } from 'vitest';
import { parseSoakOptions } from '../soak/options.ts';

test('a run sends a million requests in half an hour; a shorter one keeps the pace', () => {
  expect(parseSoakOptions([])).toEqual({ minutes: 30, requests: 1_000_000, write: false, leak: undefined });
  expect(parseSoakOptions(['--minutes', '3'])).toMatchObject({ minutes: 3, requests: 100_000 });
  expect(parseSoakOptions(['--minutes', '3', '--requests', '500'])).toMatchObject({ requests: 500 });
  expect(parseSoakOptions(['--minutes', '0.15'])).toMatchObject({ minutes: 0.15, requests: 5_000 });
});

test.for([
  [['--minutes', '0'], '--minutes must be a number from 0.1 to 10080, got "0".'],
  [['--requests', 'many'], '--requests must be a whole number from 1 to 1000000000, got "many".'],
  [['--leak', 'files'], '--leak must be one of memory, handles, worlds, got "files".'],
  [
    ['--leak', 'handels'],
    '--leak must be one of memory, handles, worlds, got "handels". Did you mean handles?',
  ],
  [['--minute', '3'], 'Unknown flag --minute. Did you mean --minutes? See --help.'],
  [
    ['--leak', 'worlds', '--write'],
    '--leak and --write contradict each other: the page shows a server that does not leak on purpose. Leave one of them out.',
  ],
] as const)('%s is refused', ([args, message]) => {
  expect(() => parseSoakOptions(args)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});
