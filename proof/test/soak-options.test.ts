import { expect, test } from 'vitest';
import { parseSoakOptions } from '../soak/options.ts';

test('a run sends a million requests in half an hour; a shorter one keeps the pace', () => {
  expect(parseSoakOptions([])).toEqual({ minutes: 30, requests: 1_000_000, write: false, leak: undefined });
  expect(parseSoakOptions(['--minutes', '3'])).toMatchObject({ minutes: 3, requests: 100_000 });
  expect(parseSoakOptions(['--minutes', '3', '--requests', '500'])).toMatchObject({ requests: 500 });
});

test.for([
  [['--minutes', '0'], '--minutes must be a number greater than 0, got "0".'],
  [['--requests', 'many'], '--requests must be a number greater than 0, got "many".'],
  [['--leak', 'files'], '--leak must be one of memory, handles, worlds, got "files".'],
  [['--minute', '3'], "Unknown option '--minute'"],
] as const)('%s is refused', ([args, message]) => {
  expect(() => parseSoakOptions(args)).toThrow(message);
});
