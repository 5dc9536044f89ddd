import type { ParseArgsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { closestName } from '@confab/internal';
import { UsageError } from './command.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** The flags of one command, each of which takes a value. */
export interface FlagsConfig {
  readonly options: Options;
  readonly allowPositionals?: boolean;
}

const tokensOf = (args: readonly string[], options: Options) =>
  parseArgs({ args: [...args], options, strict: false, tokens: true }).tokens;

/** Whether a flag is there, whatever else is wrong with the command line. */
export const asksFor = (
  flag: 'help' | 'version',
  args: readonly string[],
  options: Options = {},
): boolean => {
  const asked = { ...options, help: { type: 'boolean', short: 'h' }, version: { type: 'boolean' } } as const;
  return tokensOf(args, asked).some((token) => token.kind === 'option' && token.name === flag);
};

/** `Did you mean …? ` or nothing. One letter is close to too many names. */
export const didYouMean = (name: string, known: Iterable<string>, dashes = ''): string => {
  const meant = name.length > 1 ? closestName(name, known) : undefined;
  return meant === undefined ? '' : `Did you mean ${dashes}${meant}? `;
};

const checked = (token: ReturnType<typeof tokensOf>[number], { options, allowPositionals }: FlagsConfig) => {
  if (token.kind === 'positional' && !allowPositionals) {
    throw new UsageError(`Only flags are taken here, not ${JSON.stringify(token.value)}. See --help.`);
  }
  if (token.kind !== 'option') {
    return;
  }
  const { name, rawName, value, inlineValue } = token;
  if (!Object.hasOwn(options, name)) {
    const known = [...Object.keys(options).filter((option) => option.length > 1), 'help', 'version'];
    throw new UsageError(`Unknown flag ${rawName}. ${didYouMean(name, known, '--')}See --help.`);
  }
  if (value === undefined) {
    throw new UsageError(`${rawName} needs a value. See --help.`);
  }
  if (!inlineValue && /^-./.test(value)) {
    throw new UsageError(
      `${rawName} needs a value. If it begins with a dash, write --${name}=${value}. See --help.`,
    );
  }
};

/**
 * `parseArgs` with messages of our own, in one line: Node's own tell about JavaScript.
 *
 * @throws {@link UsageError} For a flag that is unknown or has no value.
 */
export const parseFlags = <const Config extends FlagsConfig>(args: readonly string[], config: Config) => {
  for (const token of tokensOf(args, config.options)) {
    checked(token, config);
  }
  return parseArgs<Config & { args: string[] }>({ ...config, args: [...args] });
};
