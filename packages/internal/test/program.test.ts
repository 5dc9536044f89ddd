import { expect, test } from 'vitest';
import { createProgram, integerFlag, runProgram, UsageError } from '../src/cli/index.ts';

/** Runs a program with a command, and returns what it did. */
const run = async (...args: string[]) => {
  const done: unknown[] = [];
  const program = createProgram('tool', import.meta.resolve('../src/cli/program.ts'), (text) =>
    done.push(text.split('\n')[0]),
  )
    .option('-p, --port <n>', 'a value')
    .option('-c, --count <n>', 'a number', integerFlag(0, 9))
    .option('-q, --quiet', 'no value')
    .option('--no-notes', 'no value');
  program
    .command('sign')
    .argument('[file]')
    .option('-H <header>', 'a value')
    .option('--data <json>', 'a value')
    .action((file, flags) => {
      done.push(file, flags);
    });
  await runProgram(program.enablePositionalOptions(), args);
  return done;
};

test('the value of a flag may follow an equals sign, and may be a negative number or a dash', async () => {
  expect(await run('sign', '-', '-H', 'a: 1')).toEqual(['-', { H: 'a: 1' }]);
  expect(await run('-q', '--port', '-1', 'sign', '--', '--port')).toEqual(['--port', {}]);
  expect(await run('--port=-x=', '--count', '9', 'sign', '--data', 'null')).toEqual([
    undefined,
    { data: 'null' },
  ]);
});

test('--help and --version work even if the rest of the command line is wrong', async () => {
  for (const [args, first] of [
    [['--unknown', '-h'], 'Usage: tool [options] [command]'],
    [['--port', '--help'], 'Usage: tool [options] [command]'],
    [['sign', '--help', '--port'], 'Usage: tool sign [options] [file]'],
    [['sign', '--version'], '0.0.0'],
    [['-v', '--what'], '0.0.0'],
  ] as const) {
    expect(await run(...args)).toEqual([first]);
  }
});

test.each([
  [['--prot', '1'], 'Unknown flag --prot. Did you mean --port? See --help.'],
  [['--qiet=secret'], 'Unknown flag --qiet. Did you mean --quiet? See --help.'],
  [['--constructor'], 'Unknown flag --constructor. See --help.'],
  [['-x'], 'Unknown flag -x. See --help.'],
  [['--port'], '--port needs a value. See --help.'],
  [['-p'], '--port needs a value. See --help.'],
  [['sign', '-H'], '-H needs a value. See tool sign --help.'],
  [['--port='], '--port must not be empty. Is its environment variable set?'],
  [['-p', 'undefined'], '--port must not be "undefined". Is its environment variable set?'],
  [['--port=null'], '--port must not be "null". Is its environment variable set?'],
  [['-c', '7a'], '--count must be a whole number from 0 to 9, got "7a". See --help.'],
  [['--count', '10'], '--count must be a whole number from 0 to 9, got "10". See --help.'],
  [
    ['--port', '--quiet'],
    '--port needs a value. If the value starts with a dash, write --port=VALUE. See --help.',
  ],
  [['--quiet=yes'], '--quiet does not accept a value. See --help.'],
  [['sign', '--prot', '1'], 'Unknown flag --prot. See tool sign --help.'],
  [['sign', '--data'], '--data needs a value. See tool sign --help.'],
  [['sing'], "Unknown command 'sing'. Did you mean sign? See --help."],
  [
    ['sign', 'a', 'b'],
    "Too many arguments for 'sign'. Expected 1 argument but got 2: a, b. See tool sign --help.",
  ],
])('the command line %j is a usage error', async (args, message) => {
  await expect(run(...args)).rejects.toThrow(
    expect.objectContaining({ name: 'UsageError', code: 'USAGE', message }),
  );
});

test('the message of a UsageError is one line without control characters, and one for each flag', () => {
  expect(new UsageError('Pass one:', ['--a', '--b\nc']).message).toBe('Pass one:\n  --a\n  --b c');
  expect(new UsageError('Cannot read a\r\n  b: denied\n').message).toBe('Cannot read a b: denied');
  const { message } = new UsageError('unknown field \u001b[2J\u202e\r\n of größe 👋🏽 ');
  expect(message).toBe('unknown field \\u001b[2J\\u202e of größe 👋🏽');
});
