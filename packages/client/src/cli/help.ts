import type { Command } from './command.ts';
import { commands, resources } from './command.ts';
import { EXIT_CODES } from './exit-codes.ts';
import type { FieldFlag } from './field-flag.ts';
import type { GlobalFlag } from './global-flags.ts';
import { GLOBAL_FLAGS, globalFlagsOf } from './global-flags.ts';
import { columns, wrap } from './output/columns.ts';
import type { Shape } from './shapes/shape.ts';

const PLACEHOLDERS: Readonly<Record<string, string>> = { uuid: 'UUID', 'date-time': 'DATE' };

const placeholder = ({ type, format, enum: values, items }: Shape): string => {
  if (items) {
    return placeholder(items);
  }
  if (type === 'integer' || type === 'number') {
    return 'NUMBER';
  }
  return values ? 'VALUE' : (PLACEHOLDERS[format ?? ''] ?? 'TEXT');
};

const fieldRow = ({ flag, shape, required, description, values, fallback }: FieldFlag): [string, string] => {
  const notes = [
    description,
    ...(values.length > 0 ? [`${shape.enum ? 'One of' : 'Known values:'} ${values.join(', ')}.`] : []),
    ...(shape.format === 'date-time' ? ['A day such as 2026-01-31 starts at midnight UTC.'] : []),
    ...(shape.type === 'array' ? ['Repeat it for each item.'] : []),
    ...(shape.nullable ? [`--no-${flag} sets it to null.`] : []),
    ...(required ? ['Required.'] : []),
    ...(fallback === undefined ? [] : [`Default ${fallback}.`]),
  ];
  const name = shape.type === 'boolean' ? `--${flag}, --no-${flag}` : `--${flag} ${placeholder(shape)}`;
  return [name, notes.join(' ')];
};

const globalRow = ([name, { short, value, description }]: readonly [string, GlobalFlag]): [
  string,
  string,
] => [
  `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`,
  description,
];

/** Quotes a value for a shell, where it has to be. */
const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const ID = '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11';

/** The command with its required flags, or with one that shows how flags are written. */
const examplesFor = ({ name, params, flags, paged, operation }: Command): string[] => {
  const required = flags.filter((flag) => flag.required);
  const telling = flags.find(({ values }) => values.length > 0) ?? flags[0];
  const shown = required.length > 0 ? required : telling === undefined ? [] : [telling];
  const words = [
    `confab ${name}`,
    ...params.map(() => ID),
    ...shown.map(({ flag, example }) => `--${flag} ${shellWord(String(example))}`),
  ].join(' ');
  return [
    words,
    ...(paged ? [`confab ${name} --all > ${name.split(' ')[0]}.jsonl`] : []),
    ...(operation.body === undefined ? [] : [`${words.split(' --')[0]} --data @body.json --dry-run`]),
    ...(operation.body === undefined && !paged ? [`${words} --json`] : []),
  ];
};

/** The output of `--help` after the name of a command. */
export const commandHelp = (command: Command): string => {
  const { name, params, flags, summary, does, operation } = command;
  const ids = params.map(([param]) => ` ${param.toUpperCase()}`).join('');
  return [
    `confab ${name}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    wrap(does).join('\n'),
    `Usage: confab ${name}${ids} [flags]`,
    ...(flags.length > 0 ? [`Fields:\n${columns(flags.map(fieldRow))}`] : []),
    `Flags:\n${columns(globalFlagsOf(command).map(globalRow))}`,
    `Examples:\n${examplesFor(command)
      .map((line) => `  ${line}`)
      .join('\n')}`,
    `The key needs the scope ${operation.scope}. confab --help lists the exit codes.`,
  ].join('\n\n');
};

/** The output of `--help` after the name of a resource. */
export const resourceHelp = (resource: string): string =>
  [
    `confab ${resource}`,
    columns(
      commands
        .filter((command) => command.resource === resource)
        .map(({ name, params, summary }) => [
          `confab ${name}${params.map(([param]) => ` ${param.toUpperCase()}`).join('')}`,
          `${summary}.`,
        ]),
    ),
    `confab ${resource} COMMAND --help describes a command.`,
  ].join('\n\n');

const shared = (): string =>
  columns(
    Object.entries<GlobalFlag>(GLOBAL_FLAGS)
      .filter(([, flag]) => flag.of === undefined)
      .map(globalRow),
  );

/** The output of `confab --help`. */
export const generalHelp = (): string =>
  [
    'confab: calls the confab API from a shell',
    'Usage: confab RESOURCE COMMAND [ID] [flags]',
    `Commands:\n${columns([
      ...commands.map(({ name, params, summary }): [string, string] => [
        `${name}${params.map(([param]) => ` ${param.toUpperCase()}`).join('')}`,
        `${summary}.`,
      ]),
      ['completion SHELL', 'Print a completion script for bash, zsh or fish.'],
      ['help [COMMAND]', 'Print the help of a command.'],
    ])}`,
    `Flags of every command:\n${shared()}`,
    `Environment:\n${columns([
      ['CONFAB_API_KEY', 'The API key. On a terminal, the command asks for it if it is not set.'],
      ['CONFAB_BASE_URL', 'The URL of the API.'],
      ['NO_COLOR', 'Turns bold text off.'],
    ])}`,
    `Exit codes:\n${columns([...EXIT_CODES].sort((a, b) => a.code - b.code).map(({ code, when }) => [String(code), when]))}`,
    `Examples:\n  confab leads list --mock\n  confab ${resources[0]} --help\n  confab leads list --status new --all | jq -r .phone`,
  ].join('\n\n');
