import type { Option } from 'commander';
import { Command, CommanderError } from 'commander';
import { packageVersion } from './package-version.ts';
import { UsageError } from './usage-error.ts';

/**
 * Creates a commander program for {@link runProgram}. It throws where commander would end the process.
 *
 * @param caller The `import.meta.url` of a file two folders below the manifest, which has the version.
 * @param print Called with the text of the help or of the version.
 * @example
 * ```ts
 * const program = createProgram('confab', import.meta.url, console.log).option('--json', 'print JSON');
 * ```
 */
export const createProgram = (name: string, caller: string, print: (text: string) => void): Command =>
  new Command(name)
    .version(packageVersion(caller), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureOutput({ writeOut: print, outputError: () => {} })
    .exitOverride();

/** Whether a value is what a script passes for an unset variable. `null` is a valid value of a flag that takes JSON. */
const isUnset = ({ flags }: Option, value: string): boolean =>
  /^(?:\s*|undefined)$/.test(value) || (value === 'null' && !/<json/.test(flags));

/**
 * Refuses a flag without its value, for which commander would take the next flag, a value for a flag that takes none, and
 * the value of an unset variable.
 */
const checkValues = (program: Command, args: readonly string[]): void => {
  const options = [program, ...program.commands].flatMap((command) => command.options);
  for (const [index, arg] of args.entries()) {
    if (arg === '--') {
      return;
    }
    const [, flag = '', inline] = /^([^=]*)(?:=(.*))?$/s.exec(arg) ?? [];
    const option = options.find(({ short, long }) => flag === short || flag === long);
    if (option === undefined) {
      continue;
    }
    const { long = flag } = option;
    if (option.isBoolean() && inline !== undefined) {
      throw new UsageError(`${long} does not accept a value. See --help.`);
    }
    const next = args[index + 1];
    // A value may be a negative number, or a dash for standard input.
    const value = inline ?? (next === undefined || /^-[^\d]/.test(next) ? undefined : next);
    if (option.required && value === undefined) {
      // The message does not show the next argument, because it may be a secret.
      const hint = next === undefined ? '' : ` If the value starts with a dash, write ${long}=VALUE.`;
      throw new UsageError(`${long} needs a value.${hint} See --help.`);
    }
    if ((option.required || option.optional) && value !== undefined && isUnset(option, value)) {
      const what = value.trim() === '' ? 'empty' : JSON.stringify(value);
      throw new UsageError(`${long} must not be ${what}. Is its environment variable set?`);
    }
  }
};

/** Returns the arguments to parse. `--help` and `--version` work even if the rest of the command line is wrong. */
const chooseArguments = (program: Command, args: readonly string[]): readonly string[] => {
  const [first = ''] = args;
  if (args.some((arg) => /^(?:-v|--version)$/.test(arg))) {
    return ['--version'];
  }
  if (args.some((arg) => /^(?:-h|--help)$/.test(arg))) {
    return program.commands.some((command) => command.name() === first) ? [first, '--help'] : ['--help'];
  }
  checkValues(program, args);
  return args;
};

/**
 * Turns an error of commander into ours: `error: unknown option '--prot=1'` becomes `Unknown flag --prot`, without the
 * value, which may be a secret.
 *
 * @example
 * ```ts
 * throw error instanceof CommanderError ? usageErrorFrom(error) : error;
 * ```
 */
export const usageErrorFrom = ({ code, message }: CommanderError): UsageError => {
  if (code === 'commander.help') {
    return new UsageError('No command. See --help.');
  }
  const [, text = '', hint = ''] = /^(?:error: )?(.*?)\.?(?:\n\((.*)\))?$/s.exec(message) ?? [];
  const sentence = text
    .replace(/^unknown option '([^=]*).*'$/s, 'unknown flag $1')
    .replace(/^missing required argument '(.*)'$/, '<$1> is required')
    .replace(
      /^option '(?:-\w, )?(\S+).*' argument '(.*)' is invalid\. (.*)$/s,
      (_, flag: string, value: string, requirement: string) =>
        `${flag} ${requirement.replace(/^It must/, 'must').replace(/^Allowed choices are/, 'must be one of')}, got ${JSON.stringify(value)}`,
    );
  return new UsageError(
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. ${hint} See --help.`.replace('  ', ' '),
  );
};

/**
 * Parses a command line and runs its command.
 *
 * @throws An {@link UsageError} when it is invalid.
 * @example
 * ```ts
 * await runProgram(program, process.argv.slice(2));
 * ```
 */
export const runProgram = async (program: Command, args: readonly string[]): Promise<void> => {
  try {
    await program.parseAsync(chooseArguments(program, args), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    if (error.exitCode !== 0) {
      throw usageErrorFrom(error);
    }
  }
};
