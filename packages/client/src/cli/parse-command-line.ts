import { parseArgs } from 'node:util';
import type { FlagsConfig } from '@confab/internal/cli';
import { didYouMean, parseFlags, UsageError } from '@confab/internal/cli';
import type { Command } from './command.ts';
import { commands, resources } from './command.ts';
import { GLOBAL_FLAGS, globalFlagsOf } from './global-flags.ts';
import { kebab } from './kebab.ts';

type Options = FlagsConfig['options'];

/** The values of flags, by the names of the flags. */
export type FlagValues = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

const globalOptions: Options = Object.fromEntries(
  Object.entries(GLOBAL_FLAGS).map(([name, { type }]) => [name, { type }]),
);

const tokensOf = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: globalOptions, strict: false, tokens: true }).tokens;

/** A shorter text could be part of any argument. No key is as short. */
const SHORTEST_KEY = 8;

/**
 * Refuses an API key in the place of another argument, which messages would repeat.
 *
 * @throws {@link UsageError} When there is one.
 */
export const refuseMisplacedKey = (args: readonly string[], known: string | undefined): void => {
  const tokens = tokensOf(args);
  const isKey = (token: (typeof tokens)[number]) => token.kind === 'option' && token.name === 'api-key';
  const keys = [
    known,
    ...tokens.map((token) => (isKey(token) && 'value' in token ? token.value : undefined)),
  ].filter((key) => key !== undefined && key.length >= SHORTEST_KEY);
  const others = tokens.filter((token) => !isKey(token)).map((token) => JSON.stringify(token));
  if (keys.some((key) => others.some((text) => text.includes(String(key))))) {
    throw new UsageError(
      'An argument contains the API key, which other processes can see. Remove it, and set CONFAB_API_KEY.',
    );
  }
};

/** Separates the words that name a command from the rest, wherever the flags are. */
export const splitWords = (args: readonly string[]): { words: string[]; rest: string[] } => {
  const tokens = tokensOf(args);
  const named = tokens.filter(({ kind }) => kind === 'positional').slice(0, 2);
  const indexes = new Set(named.map(({ index }) => index));
  return {
    words: args.filter((_, index) => indexes.has(index)),
    rest: args.filter((_, index) => !indexes.has(index)),
  };
};

/**
 * Reports what is wrong with a command line without a command.
 *
 * @throws {@link UsageError} When it is called: there is nothing to run.
 */
export const refuseWithoutCommand = (args: readonly string[]): never => {
  parseFlags(args, { options: globalOptions });
  throw new UsageError(`No command. Use ${resources.join(', ')} or completion. See confab --help.`);
};

/**
 * Finds the command that two words name.
 *
 * @throws {@link UsageError} When there is no such command.
 */
export const findCommand = ([resource = '', method]: readonly string[]): Command => {
  if (!resources.includes(resource)) {
    const known = [...resources, 'completion', 'help'];
    throw new UsageError(
      `Unknown command ${JSON.stringify(resource)}. ${didYouMean(resource, known)}See confab --help.`,
    );
  }
  const siblings = commands.filter((command) => command.resource === resource);
  const methods = siblings.map((command) => command.method);
  if (method === undefined) {
    throw new UsageError(
      `Which command of ${resource}? Use ${methods.join(', ')}. See confab ${resource} --help.`,
    );
  }
  const found = siblings.find((command) => command.method === kebab(method));
  if (found === undefined) {
    throw new UsageError(
      `Unknown command ${JSON.stringify(`${resource} ${method}`)}. ${didYouMean(method, methods, `${resource} `)}See confab ${resource} --help.`,
    );
  }
  return found;
};

/** The flags of a command, as `parseArgs` of Node describes them. */
export const optionsOf = (command: Command): Options => {
  const globals = globalFlagsOf(command).map(([name, { type, short }]) => [
    name,
    { type, ...(short === undefined ? {} : { short }) },
  ]);
  const fields = command.flags.flatMap(({ flag, shape: { type, nullable } }) => [
    [
      flag,
      { type: type === 'boolean' ? 'boolean' : 'string', ...(type === 'array' ? { multiple: true } : {}) },
    ],
    ...(nullable || type === 'boolean' ? [[`no-${flag}`, { type: 'boolean' }]] : []),
  ]);
  return Object.fromEntries([...fields, ...globals]);
};

/**
 * Parses the flags and arguments of a command.
 *
 * @throws {@link UsageError} When a flag is unknown, or lacks its value.
 */
export const parseCommandLine = (
  command: Command,
  args: readonly string[],
): { values: FlagValues; positionals: readonly string[] } => {
  const { values, positionals } = parseFlags(args, { options: optionsOf(command), allowPositionals: true });
  return { values: values as FlagValues, positionals };
};
