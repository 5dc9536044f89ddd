import { readFileSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import { expect, test } from 'vitest';
import { parseFuzzPlan } from '../fuzz/options.ts';
import { findingFiles } from '../fuzz/store.ts';
import { targets } from '../fuzz/targets/index.ts';

const [FILE = ''] = findingFiles('webhooks-flags');

test('without flags, every target runs for five seconds', () => {
  expect(parseFuzzPlan([])).toMatchObject({
    names: [...targets.keys()],
    runs: Number.POSITIVE_INFINITY,
    seconds: 5,
    input: undefined,
    write: false,
  });
});

test('--runs lifts the limit of five seconds, and --seconds sets another one', () => {
  const args = ['mock-state', '--runs', '100', '--seed', '0'];
  expect(parseFuzzPlan(args)).toMatchObject({
    names: ['mock-state'],
    runs: 100,
    seconds: Number.POSITIVE_INFINITY,
    seed: 0,
  });
  expect(parseFuzzPlan([...args, '--seconds', '9'])).toMatchObject({ runs: 100, seconds: 9 });
});

test('--input reads a file for one target', () => {
  expect(parseFuzzPlan(['webhooks-flags', '--input', FILE]).input).toEqual(readFileSync(FILE));
});

test.for([
  [['mock-stat'], 'Unknown target "mock-stat". Did you mean mock-state? See --help.'],
  [['--runs', '1e3'], '--runs must be a whole number from 1 to 1000000000, got "1e3".'],
  [['--seconds', ''], '--seconds must be a whole number from 1 to 604800, got "".'],
  [['--seed', '4294967296'], '--seed must be a whole number from 0 to 4294967295, got "4294967296".'],
  [['--input', FILE], '--input needs one target, such as pnpm test:fuzz client-base-url --input FILE.'],
  [['mock-state', 'mock-data', '--input', FILE], '--input needs one target, '],
  [['mock-state', '--input', 'gone'], '--input must be a file that can be read, got "gone" (ENOENT).'],
  [['mock-state', '--input', FILE, '--runs', '9'], '--input and --runs contradict each other: '],
  [['mock-state', '--input', FILE, '--write'], '--input and --write contradict each other: '],
] as const)('%s is refused', ([args, message]) => {
  expect(() => parseFuzzPlan(args)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
  );
});

const needs = { corpusFiles: () => [FILE], checkFigures: () => {} };

test('a target without a corpus is refused, unless one input is run', () => {
  const corpusFiles = (name: string) => (name === 'mock-data' ? [] : [FILE]);
  expect(() => parseFuzzPlan(['mock-state', 'mock-data'], { ...needs, corpusFiles })).toThrow(
    expect.objectContaining({
      name: 'UsageError',
      message: expect.stringContaining('There are no inputs in proof/fuzz/corpus/mock-data. '),
    }),
  );
  const { names } = parseFuzzPlan(['mock-data', '--input', FILE], { ...needs, corpusFiles });
  expect(names).toEqual(['mock-data']);
});

test('--write checks the files of the figures before the run, and nothing else does', () => {
  const checkFigures = () => {
    throw new UsageError('no figures');
  };
  expect(() => parseFuzzPlan(['mock-state', '--write'], { ...needs, checkFigures })).toThrow('no figures');
  expect(parseFuzzPlan(['mock-state'], { ...needs, checkFigures }).write).toBe(false);
});
