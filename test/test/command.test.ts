import { expect, expectTypeOf, test } from 'vitest';
import { BENCH, parseBenchOptions } from '../../scripts/bench/options.ts';
import { defineCommand, parseCommand } from '../../scripts/command/command.ts';
import { decimal, oneOf, text, texts, toggle, whole } from '../../scripts/command/flag.ts';
import { commandHelp } from '../../scripts/command/help.ts';
import { MUTANTS, parseMutantsOptions } from '../../scripts/mutants/options.ts';
import { parseScaleOptions, SCALE } from '../scale/options.ts';
import { parseSimulationOptions, SIMULATION } from '../simulation/options.ts';
import { parseSoakOptions, SOAK } from '../soak/options.ts';

const PAINT = defineCommand({
  name: 'paint',
  summary: 'paints walls',
  description: 'Paints the walls that are named.',
  args: { kind: 'wall', known: ['north', 'south'] },
  flags: {
    coats: whole({ placeholder: 'N', description: 'Coats of paint.', least: 1, most: 9, fallback: 2 }),
    liters: decimal({ placeholder: 'LITERS', description: 'Paint to use.', least: 0.5, most: 20 }),
    color: oneOf({ placeholder: 'COLOR', description: 'Color of the paint.', words: ['white', 'green'] }),
    note: text({ placeholder: 'TEXT', description: 'What to write on the wall.' }),
    skip: texts({ placeholder: 'SPOT', description: 'Leaves a spot out.' }),
    bare: toggle('Removes all paint.'),
  },
  excludes: [{ flags: ['bare'], with: ['coats', 'color'], because: 'a bare wall has no paint' }],
  requires: [{ flag: 'note', needs: 'color' }],
  fails: 'The paint is wet.',
  examples: ['pnpm paint north --coats 3'],
});

test('values are read as their flags say, and have their types', () => {
  const { values, args } = parseCommand(PAINT, [
    ...['south', '--coats=3', '--liters', '0.75', '--color', 'green', '--note', 'Hi'],
    ...['--skip', 'a', '--skip', 'b', 'south'],
  ]);
  expect({ ...values }).toEqual({
    coats: 3,
    liters: 0.75,
    color: 'green',
    note: 'Hi',
    skip: ['a', 'b'],
    bare: false,
  });
  expect(args).toEqual(['south']);
  expectTypeOf(values.coats).toEqualTypeOf<number>();
  expectTypeOf(values.liters).toEqualTypeOf<number | undefined>();
  expectTypeOf(values.color).toEqualTypeOf<'white' | 'green' | undefined>();
});

test('without arguments, a command runs everything that it knows, with the defaults', () => {
  const { values, args } = parseCommand(PAINT, []);
  expect(args).toEqual(['north', 'south']);
  expect([values.coats, values.liters, values.skip, values.bare]).toEqual([2, undefined, undefined, false]);
});

test.for([
  [['--colour', 'green'], 'Unknown flag --colour. Did you mean --color? See --help.'],
  [['--version'], 'Unknown flag --version. See --help.'],
  [['nroth'], 'Unknown wall "nroth". Did you mean north? See --help.'],
  [['--coats', '10'], '--coats must be a whole number from 1 to 9, got "10".'],
  [['--coats', '1.5'], '--coats must be a whole number from 1 to 9, got "1.5".'],
  [['--coats', '0x2'], '--coats must be a whole number from 1 to 9, got "0x2".'],
  [['--coats', ''], '--coats must be a whole number from 1 to 9, got "".'],
  [['--liters', '1e1'], '--liters must be a number from 0.5 to 20, got "1e1".'],
  [['--color', 'greene'], '--color must be one of white, green, got "greene". Did you mean green?'],
  [
    ['--color', 'green', '--bare'],
    '--bare and --color contradict each other: a bare wall has no paint. Leave one of them out.',
  ],
  [['--note', 'Hi'], '--note needs --color. See --help.'],
] as const)('%s is refused', ([args, message]) => {
  expect(() => parseCommand(PAINT, args)).toThrow(expect.objectContaining({ name: 'UsageError', message }));
});

test('the help lists arguments, flags with values and defaults, exit codes and examples', () => {
  expect(commandHelp(PAINT)).toBe(`pnpm paint: paints walls

Paints the walls that are named.

Usage: pnpm paint [WALL...] [flags]

Walls (default: all):
  north, south

Flags:
  --coats N        Coats of paint. A whole number from 1 to 9. Default 2. Not with --bare.
  --liters LITERS  Paint to use. A number from 0.5 to 20.
  --color COLOR    Color of the paint. One of white, green. Not with --bare.
  --note TEXT      What to write on the wall. Only with --color.
  --skip SPOT      Leaves a spot out. Repeat it for each one.
  --bare           Removes all paint. Not with --coats or --color.
  -h, --help       Print this help.

Exit codes:
  0  Success.
  1  The paint is wet.
  2  A flag or an argument is invalid.

Examples:
  pnpm paint north --coats 3`);
});

const COMMANDS = [
  { command: BENCH, parse: parseBenchOptions },
  { command: MUTANTS, parse: parseMutantsOptions },
  { command: SCALE, parse: parseScaleOptions },
  { command: SIMULATION, parse: parseSimulationOptions },
  { command: SOAK, parse: parseSoakOptions },
];

test.each(COMMANDS)(
  'the help of $command.name fits a terminal, and its examples parse',
  ({ command, parse }) => {
    const lines = commandHelp(command).split('\n');
    expect(lines.filter(({ length }) => length > 100)).toEqual([]);
    for (const example of command.examples) {
      const [pnpm, name, ...args] = example
        .replaceAll("'", '')
        .replace(/ --silent| >.*/g, '')
        .split(' ');
      expect([pnpm, name]).toEqual(['pnpm', command.name]);
      expect(() => parse(args), example).not.toThrow();
    }
  },
);

test('benchmarks are those of the packages that have some', () => {
  expect(parseBenchOptions([])).toEqual({ names: ['client', 'mock', 'webhooks'], write: false });
  expect(parseBenchOptions(['mock', '--write'])).toEqual({ names: ['mock'], write: true });
  expect(() => parseBenchOptions(['mocks'])).toThrow(
    'Unknown package "mocks". Did you mean mock? See --help.',
  );
});

test('--files names the files to mutate, of the packages that are given', () => {
  const { files } = parseMutantsOptions(['client', '--files', 'packages/client/src/retry/r*.ts']);
  expect(files?.length).toBeGreaterThan(0);
  expect(files).toEqual(
    files?.map(() => expect.stringMatching(/^packages\/client\/src\/retry\/r[^/]*\.ts$/)),
  );
});

test.for([
  [['--changed', '--write'], '--changed and --write contradict each other: '],
  [['--since', 'main', '--files', 'a'], '--since and --files contradict each other: '],
  [['webhook'], 'Unknown package "webhook". Did you mean webhooks? See --help.'],
  [['--concurrency', '50%'], '--concurrency must be a whole number from 1 to 256, got "50%".'],
  [
    ['mock', '--files', 'packages/client/src/retry/*.ts'],
    '--files must match a file to mutate of mock, got "packages/client/src/retry/*.ts".',
  ],
] as const)('%s is refused', ([args, message]) => {
  expect(() => parseMutantsOptions(args)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) }),
  );
});
