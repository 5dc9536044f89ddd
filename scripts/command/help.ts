import { columns, wrap } from './columns.ts';
import type { Command } from './command.ts';

const OR = new Intl.ListFormat('en-GB', { type: 'disjunction' });

const dashed = (names: readonly string[]): string => OR.format(names.map((name) => `--${name}`));

/** The flags that a flag contradicts, whichever of them names the other. */
const excludedBy = ({ excludes = [] }: Command, flag: string): string[] =>
  excludes.flatMap(({ flags, with: others }) => [
    ...(flags.includes(flag) ? others : []),
    ...(others.includes(flag) ? flags : []),
  ]);

const flagRow =
  (command: Command) =>
  ([name, { placeholder, description, accepts, fallback }]: [string, Command['flags'][string]]): [
    string,
    string,
  ] => {
    const needed = (command.requires ?? []).filter(({ flag }) => flag === name).map(({ needs }) => needs);
    const excluded = excludedBy(command, name);
    const notes = [
      description,
      ...(accepts === undefined ? [] : [accepts]),
      ...(placeholder === undefined || fallback === undefined ? [] : [`Default ${fallback}.`]),
      ...(needed.length === 0 ? [] : [`Only with ${dashed(needed)}.`]),
      ...(excluded.length === 0 ? [] : [`Not with ${dashed(excluded)}.`]),
    ];
    return [`--${name}${placeholder === undefined ? '' : ` ${placeholder}`}`, notes.join(' ')];
  };

const namesOf = ({ args }: Command): string[] => {
  if (args === undefined) {
    return [];
  }
  const heading = `${args.kind.charAt(0).toUpperCase()}${args.kind.slice(1)}s (default: all):`;
  return [[heading, ...wrap(args.known.join(', '), 98).map((line) => `  ${line}`)].join('\n')];
};

/** The output of `--help`. */
export const commandHelp = (command: Command): string => {
  const { name, summary, description, args, flags, fails, examples } = command;
  return [
    `pnpm ${name}: ${summary}`,
    wrap(description).join('\n'),
    `Usage: pnpm ${name}${args === undefined ? '' : ` [${args.kind.toUpperCase()}...]`} [flags]`,
    ...namesOf(command),
    `Flags:\n${columns([...Object.entries(flags).map(flagRow(command)), ['-h, --help', 'Print this help.']])}`,
    `Exit codes:\n${columns([
      ['0', 'Success.'],
      ['1', fails],
      ['2', 'A flag or an argument is invalid.'],
    ])}`,
    `Examples:\n${examples.map((example) => `  ${example}`).join('\n')}`,
  ].join('\n\n');
};
