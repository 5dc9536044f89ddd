import { expect, test } from 'vitest';
import { asksFor, didYouMean, parseFlags, UsageError } from '../src/cli/index.ts';

const options = {
  port: { type: 'string', short: 'p', default: '3000' },
  prefix: { type: 'string' },
  H: { type: 'string', short: 'H', multiple: true },
  quiet: { type: 'boolean', short: 'q', default: false },
} as const;

test('values, defaults, short flags and repeated flags are parsed', () => {
  const { values } = parseFlags(['-qp7', '-H', 'a: 1', '-H', 'b: 2', '--prefix=-x='], { options });
  expect({ ...values }).toEqual({ quiet: true, port: '7', H: ['a: 1', 'b: 2'], prefix: '-x=' });
  expect({ ...parseFlags([], { options }).values }).toEqual({ quiet: false, port: '3000' });
});

test('a negative number, a single dash and an empty text are values', () => {
  for (const value of ['-1', '-', '']) {
    expect(parseFlags(['--prefix', value], { options }).values.prefix).toBe(value);
  }
});

test('positionals keep their order, with and without a separator', () => {
  for (const args of [
    ['one', '-q', '-'],
    ['-q', '--', 'one', '-'],
  ]) {
    const { positionals, values } = parseFlags(args, { options, allowPositionals: true });
    expect([positionals, values.quiet]).toEqual([['one', '-'], true]);
  }
  const dashed = parseFlags(['--', '--quiet'], { options, allowPositionals: true });
  expect([dashed.positionals, dashed.values.quiet]).toEqual([['--quiet'], false]);
});

test.each([
  [['--prot', '1'], 'Unknown flag --prot. Did you mean --port? See --help.'],
  [['--hlep'], 'Unknown flag --hlep. Did you mean --help? See --help.'],
  [['--constructor'], 'Unknown flag --constructor. See --help.'],
  [['-x'], 'Unknown flag -x. See --help.'],
  [['-h'], 'Unknown flag -h. See --help.'],
  [['--port'], '--port needs a value. See --help.'],
  [['-p'], '--port needs a value. See --help.'],
  [['-H'], '-H needs a value. See --help.'],
  [
    ['--port', '--quiet'],
    '--port needs a value. If the value starts with a dash, write --port=VALUE. See --help.',
  ],
  [['--quiet=yes'], '--quiet does not accept a value, got "yes". See --help.'],
  [['file.json'], 'Unexpected argument "file.json". See --help.'],
  [['--', '--quiet'], 'Unexpected argument "--quiet". See --help.'],
])('%j is a usage error', (args, message) => {
  expect(() => parseFlags(args, { options })).toThrow(
    expect.objectContaining({ name: 'UsageError', code: 'USAGE', message }),
  );
});

test('a command without --version does not suggest it', () => {
  const message = (args: string[], version: boolean) => {
    try {
      parseFlags(args, { options, version });
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  expect(message(['--versoin'], true)).toBe('Unknown flag --versoin. Did you mean --version? See --help.');
  expect(message(['--versoin'], false)).toBe('Unknown flag --versoin. See --help.');
  expect(message(['--hlep'], false)).toBe('Unknown flag --hlep. Did you mean --help? See --help.');
});

test('--help and --version are found in an invalid command line, but not in the value of another flag', () => {
  expect(asksFor('help', ['--unknown', '-h'], options)).toBe(true);
  expect(asksFor('help', ['--prefix', '--help'], options)).toBe(false);
  expect(asksFor('help', ['--', '--help'], options)).toBe(false);
  expect(asksFor('version', ['sign', '--version'])).toBe(true);
  expect(asksFor('version', ['-v'])).toBe(true);
  expect(asksFor('version', ['sign'])).toBe(false);
});

test('a suggestion needs a name of more than one letter that is close to a known one', () => {
  expect(didYouMean('sing', ['sign', 'verify'])).toBe('Did you mean sign? ');
  expect(didYouMean('a', ['b'])).toBe('');
  expect(didYouMean('something', ['sign'])).toBe('');
});

test('the message of a usage error has one line', () => {
  expect(new UsageError('Cannot read a\r\n  b: denied\n').message).toBe('Cannot read a b: denied');
});

test('the message of a UsageError is one line that no terminal obeys', () => {
  const { message } = new UsageError('unknown field \u001b[2J\u202e\r\n of größe 👋🏽 ');
  expect(message).toBe('unknown field \\u001b[2J\\u202e of größe 👋🏽');
});
