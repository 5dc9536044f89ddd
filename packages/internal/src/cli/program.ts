import type { Option } from 'commander';
import { Command, CommanderError } from 'commander';
import { closestName } from '../closest-name.ts';
import { guessName } from '../synonyms.ts';
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

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

/** Refers to the help of a command: `See confab leads list --help.` */
const seeHelp = (command: Command): string => `See ${command.parent ? `${pathOf(command)} ` : ''}--help.`;

/** Returns the command that a command line names, or the program if it names none. */
const findCommand = (program: Command, args: readonly string[]): Command =>
  args.reduce((command, arg) => command.commands.find((each) => each.name() === arg) ?? command, program);

/** Whether a value is what a script passes for an unset variable. `null` is a valid value of a flag that takes JSON. */
const isUnset = ({ flags }: Option, value: string): boolean =>
  /^(?:\s*|undefined)$/.test(value) || (value === 'null' && !/<json/.test(flags));

/**
 * Refuses a flag without its value, for which commander would take the next flag, a value for a flag that takes none, and
 * the value of an unset variable.
 */
const checkValues = (program: Command, args: readonly string[]): void => {
  const options = [program, ...program.commands].flatMap((command) => command.options);
  const help = seeHelp(findCommand(program, args));
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
      throw new UsageError(`${long} does not accept a value. ${help}`);
    }
    const next = args[index + 1];
    // A value may be a negative number, or a dash for standard input.
    const value = inline ?? (next === undefined || /^-[^\d]/.test(next) ? undefined : next);
    if (option.required && value === undefined) {
      // The message does not show the next argument, because it may be a secret.
      const hint = next === undefined ? '' : ` If the value starts with a dash, write ${long}=VALUE.`;
      throw new UsageError(`${long} needs a value.${hint} ${help}`);
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

const suggestCommand = (name: string, { commands }: Command): string => {
  const names = commands.map((command) => command.name());
  const meant = names.find((known) => known.startsWith(`${name}-`)) ?? closestName(name, names);
  return meant === undefined ? `Known: ${names.join(', ')}. ` : `Did you mean ${meant}? `;
};

/** The names of options, which have synonyms, are in camel case. */
const suggestFlag = (flag: string, command: Command): string => {
  const help = command.createHelp();
  const flags = [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
  const toName = (long = '') => long.slice(2).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const meant = guessName(
    toName(flag),
    flags.map(({ long }) => toName(long)),
  );
  return meant ? `Did you mean --${meant.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}? ` : '';
};

/** Names the flags that a command's help lists under `Fields:`. */
const listFields = ({ options }: Command): string => {
  const fields = options.filter(({ helpGroupHeading, negate }) => helpGroupHeading === 'Fields:' && !negate);
  return fields.length > 0 ? `Fields are flags: ${fields.map(({ flags }) => flags).join(', ')}. ` : '';
};

/**
 * Turns an error of commander into ours: `error: unknown option '--prot=1'` becomes `Unknown flag --prot. Did you mean
 * --port?`, without the value, which may be a secret.
 *
 * @example
 * ```ts
 * throw error instanceof CommanderError ? usageErrorFrom(error, program, args) : error;
 * ```
 */
export const usageErrorFrom = (
  { code, message }: CommanderError,
  program: Command,
  args: readonly string[],
): UsageError => {
  const command = findCommand(program, args);
  if (code === 'commander.help') {
    return new UsageError(`No command. ${seeHelp(command)}`);
  }
  // The second line is a suggestion of commander, which knows no synonyms.
  const [, text = ''] = /^(?:error: )?(.*?)\.?(?:\n\(.*\))?$/s.exec(message) ?? [];
  const [, name = ''] = /^unknown \w+ '(.*?)(?:=.*)?'$/s.exec(text) ?? [];
  const hints: Record<string, string> = {
    'commander.unknownCommand': suggestCommand(name, command),
    'commander.unknownOption': suggestFlag(name, command),
    'commander.excessArguments': listFields(command),
  };
  const sentence = text
    .replace(/^unknown option '.*'$/s, `unknown flag ${name}`)
    .replace(/^missing required argument '(.*)'$/, '<$1> is required')
    .replace(
      /^option '(?:-\w, )?(\S+).*' argument '(.*)' is invalid\. (.*)$/s,
      (_, flag: string, value: string, requirement: string) =>
        `${flag} ${requirement.replace(/^It must/, 'must').replace(/^Allowed choices are/, 'must be one of')}, got ${JSON.stringify(value)}`,
    );
  return new UsageError(
    `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}. ${hints[code] ?? ''}${seeHelp(command)}`,
  );
};

/**
 * Parses a command line and runs its command.
 *
 * @throws A {@link UsageError} when it is invalid.
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
      throw usageErrorFrom(error, program, args);
    }
  }
};
