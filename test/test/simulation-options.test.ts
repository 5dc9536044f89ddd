import { expect, test } from 'vitest';
import { mutants } from '../simulation/mutants/table.ts';
import { parseSimulationOptions } from '../simulation/options.ts';

/** The steps that a command line keeps. */
const stepsOf = (...args: string[]): number[] => {
  const options = parseSimulationOptions(args);
  return options.kind === 'scenario' ? options.scenario.steps.map(({ id }) => id) : [];
};

test('without flags, 10,000 seeds run from 1 on', () => {
  const options = { kind: 'seeds', from: 1, count: 10_000, write: false };
  expect(parseSimulationOptions([])).toMatchObject(options);
  expect(parseSimulationOptions(['--seeds', '5', '--from=0', '--threads=1', '--write'])).toEqual({
    kind: 'seeds',
    from: 0,
    count: 5,
    threads: 1,
    write: true,
  });
});

test('--seed draws one scenario, of which --keep leaves the named steps', () => {
  const all = stepsOf('--seed', '3');
  expect(all.length).toBeGreaterThan(3);
  expect(stepsOf('--seed', '3', '--keep', '2,0')).toEqual([0, 2]);
  expect(stepsOf('--seed', '3', '--keep', 'none')).toEqual([]);
});

test('--mutants looks for all faults, --only for one', () => {
  expect(parseSimulationOptions(['--mutants'])).toMatchObject({ kind: 'mutants', chosen: mutants });
  const [, second] = mutants;
  const one = parseSimulationOptions(['--mutants', '--only', second?.name ?? '']);
  expect(one).toMatchObject({ kind: 'mutants', chosen: [second] });
});

test.for([
  [['--seed', '1', '--mutants'], '--seed and --mutants contradict each other: '],
  [['--seed', '1', '--from', '1'], '--seed and --from contradict each other: '],
  [['--seed', '1', '--write'], '--seed and --write contradict each other: '],
  [['--mutants', '--seeds', '9'], '--mutants and --seeds contradict each other: '],
  [['--mutants', '--only', 'invalid-key', '--write'], '--only and --write contradict each other: '],
  [['--keep', '1'], '--keep needs --seed. See --help.'],
  [['--only', 'invalid-key'], '--only needs --mutants. See --help.'],
  [['--mutants', '--only', 'invalid-keys'], 'got "invalid-keys". Did you mean invalid-key?'],
  [['--seed', '-1'], '--seed must be a whole number from 0 to 9007199254740991, got "-1".'],
  [['--threads', '0'], '--threads must be a whole number from 1 to 256, got "0".'],
  [['--seed', '3', '--keep', '1,x'], 'separated by commas, or none, got "1,x".'],
  [['--seed', '3', '--keep', ''], 'separated by commas, or none, got "".'],
  [['--seed', '3', '--keep', '99999'], '--keep must be steps of seed 3 (from 0 to '],
] as const)('%s is refused', ([args, message]) => {
  expect(() => parseSimulationOptions(args)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
  );
});
