import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { closestName } from '../closest-name.ts';
import { UsageError } from './usage-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What a command accepts. */
export interface FlagsConfig {
  /** The flags, as `parseArgs` of Node describes them. */
  readonly options: Options;
  /**
   * Accepts arguments that are not flags.
   * @default false
   */
  readonly allowPositionals?: boolean | undefined;
  /**
   * Whether the command has `--version`. If not, no message suggests it.
   * @default true
   */
  readonly version?: boolean | undefined;
}

const tokensOf = (args: readonly string[], options: Options) =>
  parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens;

type OptionToken = Extract<ReturnType<typeof tokensOf>[number], { kind: 'option' }>;

const ALWAYS = { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } } as const;

/**
 * Whether `--help` or `--version` is present, even if the rest of the command line is invalid.
 *
 * @example
 * ```ts
 * if (asksFor('help', process.argv.slice(2))) console.log(HELP);
 * ```
 */
export const asksFor = (flag: keyof typeof ALWAYS, args: readonly string[], options: Options = {}): boolean =>
  tokensOf(args, { ...options, ...ALWAYS }).some((token) => token.kind === 'option' && token.name === flag);

/**
 * `Did you mean --port? ` with a space at its end, or an empty string if no known name is close. A name of one letter is
 * close to too many others.
 *
 * @param dashes Goes before the suggested name.
 * @example
 * ```ts
 * didYouMean('prot', ['port', 'host'], '--'); // 'Did you mean --port? '
 * ```
 */
export const didYouMean = (name: string, known: Iterable<string>, dashes = ''): string => {
  const meant = name.length > 1 ? closestName(name, known) : undefined;
  return meant === undefined ? '' : `Did you mean ${dashes}${meant}? `;
};

/** The flag with its value in one argument, which `parseArgs` accepts whatever the value starts with. */
const checkedFlag = (
  { name, rawName, value, inlineValue }: OptionToken,
  { options, version = true }: FlagsConfig,
): string => {
  const flag = `--${name}`;
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (option === undefined) {
    const known = new Set(
      [...Object.keys(options), 'help', ...(version ? ['version'] : [])].filter(({ length }) => length > 1),
    );
    throw new UsageError(`Unknown flag ${rawName}. ${didYouMean(name, known, '--')}See --help.`);
  }
  const shown = name.length === 1 ? rawName : flag;
  if (option.type === 'boolean') {
    if (value !== undefined) {
      throw new UsageError(`${shown} does not accept a value, got ${JSON.stringify(value)}. See --help.`);
    }
    return flag;
  }
  if (value === undefined) {
    throw new UsageError(`${shown} needs a value. See --help.`);
  }
  if (!inlineValue && /^-(?!\d|$)/.test(value)) {
    throw new UsageError(
      // The value may be a secret.
      `${shown} needs a value. If the value starts with a dash, write ${flag}=VALUE. See --help.`,
    );
  }
  return `${flag}=${value}`;
};

/**
 * Parses a command line as `parseArgs` of Node does, but reports mistakes in one line that names the flag.
 *
 * A value may be a negative number; any other value that starts with a dash must follow an equals sign.
 *
 * @throws {@link UsageError} When a flag is unknown, lacks its value or has one too many, or for an argument that is
 * not a flag where none is allowed.
 * @example
 * ```ts
 * const { values } = parseFlags(args, { options: { port: { type: 'string', default: '3000' } } });
 * ```
 */
export const parseFlags = <const Config extends FlagsConfig>(args: readonly string[], config: Config) => {
  const { options, allowPositionals = false } = config;
  const flags: string[] = [];
  const positionals: string[] = [];
  for (const token of tokensOf(args, options)) {
    if (token.kind === 'option') {
      flags.push(checkedFlag(token, config));
    } else if (token.kind === 'positional') {
      if (!allowPositionals) {
        throw new UsageError(`Unexpected argument ${JSON.stringify(token.value)}. See --help.`);
      }
      positionals.push(token.value);
    }
  }
  const separator = positionals.length > 0 ? ['--'] : [];
  return parseArgs<Config & { args: string[] }>({
    ...config,
    args: [...flags, ...separator, ...positionals],
  });
};
