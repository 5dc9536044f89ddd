import type { FlagsConfig } from '@confab/internal/cli';
import { didYouMean, parseFlags, UsageError } from '@confab/internal/cli';
import type { Flag } from './flag.ts';

type FlagTable = Readonly<Record<string, Flag<unknown>>>;

/** Flags that contradict others. */
interface Exclusion<Name> {
  readonly flags: readonly Name[];
  readonly with: readonly Name[];
  /** Why, as the end of a sentence. */
  readonly because: string;
}

/** A flag that has a meaning only with another one. */
interface Requirement<Name> {
  readonly flag: Name;
  readonly needs: Name;
}

/** A command of contributors: its arguments and flags, from which the help is derived. */
export interface Command {
  /** The name of the script: `test:fuzz`. */
  readonly name: string;
  /** What it does, as the rest of a sentence that starts with its name. */
  readonly summary: string;
  /** More about it, in whole sentences. */
  readonly description: string;
  /** The names that it accepts as arguments. Without arguments, it runs all of them. */
  readonly args?: { readonly kind: string; readonly known: readonly string[] } | undefined;
  readonly flags: FlagTable;
  readonly excludes?: readonly Exclusion<string>[] | undefined;
  readonly requires?: readonly Requirement<string>[] | undefined;
  /** When it exits with 1. */
  readonly fails: string;
  readonly examples: readonly string[];
}

/** A command with the names and types of its flags. */
interface CommandWith<Flags extends FlagTable> extends Command {
  readonly flags: Flags;
  readonly excludes?: readonly Exclusion<keyof Flags & string>[] | undefined;
  readonly requires?: readonly Requirement<keyof Flags & string>[] | undefined;
}

/** What a command line says. */
export interface Parsed<Flags extends FlagTable> {
  readonly values: { readonly [Name in keyof Flags]: Flags[Name] extends Flag<infer T> ? T : never };
  /** The names that were given, or all of them. */
  readonly args: readonly string[];
}

/** Describes a command. */
export const defineCommand = <const Flags extends FlagTable>(
  command: CommandWith<Flags>,
): CommandWith<Flags> => command;

/** The flags of a command, as `parseArgs` of Node describes them. */
export const optionsOf = ({ flags }: Pick<Command, 'flags'>): FlagsConfig['options'] =>
  Object.fromEntries(
    Object.entries(flags).map(([name, { placeholder, repeats = false }]) => [
      name,
      placeholder === undefined ? { type: 'boolean' } : { type: 'string', multiple: repeats },
    ]),
  );

const refuseUnknown = ({ args }: Command, given: readonly string[]): void => {
  const unknown = given.find((name) => args?.known.includes(name) === false);
  if (args !== undefined && unknown !== undefined) {
    const meant = didYouMean(unknown, args.known);
    throw new UsageError(`Unknown ${args.kind} ${JSON.stringify(unknown)}. ${meant}See --help.`);
  }
};

const refuseContradictions = (
  { excludes = [], requires = [] }: Command,
  given: ReadonlySet<string>,
): void => {
  for (const { flags, with: others, because } of excludes) {
    const [flag, other] = [flags, others].map((names) => names.find((name) => given.has(name)));
    if (flag !== undefined && other !== undefined) {
      throw new UsageError(
        `--${flag} and --${other} contradict each other: ${because}. Leave one of them out.`,
      );
    }
  }
  for (const { flag, needs } of requires) {
    if (given.has(flag) && !given.has(needs)) {
      throw new UsageError(`--${flag} needs --${needs}. See --help.`);
    }
  }
};

/**
 * Parses a command line.
 *
 * @throws {@link UsageError} When an argument or a flag is unknown, a value invalid, or flags contradict each other.
 */
export const parseCommand = <Flags extends FlagTable>(
  command: CommandWith<Flags>,
  args: readonly string[],
): Parsed<Flags> => {
  const { positionals, values } = parseFlags(args, {
    options: optionsOf(command),
    allowPositionals: command.args !== undefined,
    version: false,
  });
  const given = new Map(Object.entries(values).map(([name, value]) => [name, [value].flat().map(String)]));
  refuseUnknown(command, positionals);
  refuseContradictions(command, new Set(given.keys()));
  const read = Object.entries(command.flags).map(([name, flag]) => {
    const texts = given.get(name);
    return [name, texts === undefined ? flag.fallback : flag.read(texts, `--${name}`)];
  });
  return {
    values: Object.fromEntries(read),
    args: positionals.length > 0 ? [...new Set(positionals)] : (command.args?.known ?? []),
  };
};
