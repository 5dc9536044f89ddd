import { packageVersion } from '@confab/internal/cli';
import { Command, Option } from 'commander';
import type { ApiCommand, Field } from './commands.ts';
import { commands, kebab, resources } from './commands.ts';
import type { GlobalFlags } from './connect.ts';
import { EXIT_CODES } from './failure.ts';
import { addImport } from './import/command.ts';
import type { ImportFlags } from './import/import-leads.ts';

/** The arguments and flags of a command of the API. */
export interface CommandLine {
  /** The path parameters. */
  readonly args: readonly string[];
  /** The flags of the command itself, by the names of the fields; false for `--no-notes`. */
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  readonly globalFlags: GlobalFlags;
}

interface Parts {
  /** The width of the help, in columns. */
  readonly columns: number;
  /** Receives the help and the version. */
  readonly write: (text: string) => void;
  /** Runs a command of the API. */
  readonly execute: (command: ApiCommand, line: CommandLine) => Promise<void>;
  /** Runs `confab leads import`. */
  readonly runImport: (file: string, flags: ImportFlags) => Promise<void>;
}

const createOptions = ({ name, types, schema, values, description, required }: Field): Option[] => {
  const kind = values.length > 0 ? 'value' : (schema.format ?? 'text');
  const notes = [
    description,
    ...(values.length > 0 ? [`${schema.enum ? 'One of' : 'Known values:'} ${values.join(', ')}.`] : []),
    ...(schema.format === 'date-time' ? ['A day such as 2026-01-31 starts at midnight UTC.'] : []),
    ...(required ? ['Required.'] : []),
    ...(schema.default === undefined ? [] : [`Default ${schema.default}.`]),
  ];
  const flag = kebab(name);
  return [
    new Option(`--${flag} <${types.includes('string') ? kind : types[0]}>`, notes.join(' ')),
    ...(types.includes('null') ? [new Option(`--no-${flag}`, `Set --${flag} to null.`)] : []),
  ];
};

/** A section of the help, laid out like those of commander. */
const section = (command: Command, title: string, rows: readonly (readonly [string, string])[]): string => {
  const help = command.createHelp();
  help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const width = Math.max(...rows.map(([term]) => term.length));
  return ['', title, ...rows.map(([term, text]) => help.formatItem(term, width, text, help))].join('\n');
};

const addCommand = (parent: Command, command: ApiCommand, execute: Parts['execute']): void => {
  const leaf = parent.command(command.name).summary(`${command.summary}.`).description(command.description);
  for (const { name, description } of command.params) {
    leaf.argument(`<${name}>`, description);
  }
  for (const option of command.fields.flatMap(createOptions)) {
    leaf.addOption(option.helpGroup('Fields:'));
  }
  if (command.operation.body) {
    leaf.option(
      '--data <json|@file|->',
      'The body as a JSON object, from a file, or from standard input. Flags of fields take precedence.',
    );
  }
  if (command.paged) {
    leaf.option('--all', 'Read every page. --limit sets the rows of each request (default 100).');
  }
  leaf.action(() =>
    execute(command, {
      args: leaf.args,
      flags: leaf.opts(),
      globalFlags: parent.parent?.opts() ?? {},
    }),
  );
};

/**
 * Creates the command line. Commander finds its flags, help and suggestions, and throws instead of ending the process.
 */
export const createProgram = ({ columns, write, execute, runImport }: Parts): Command => {
  const program = new Command('confab')
    .description('Calls the confab API from a shell.')
    .configureOutput({
      getOutHelpWidth: () => columns,
      getErrHelpWidth: () => columns,
      writeOut: write,
      writeErr: write,
      // The error is thrown too, so printing it here would show it twice.
      outputError: () => {},
    })
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .usage('<resource> <command> [id] [options]')
    .option('--json', 'Print JSON, one value per line. This is the default in a pipe.')
    .option('--dry-run', 'Print the request and send nothing. It needs no API key.')
    .addOption(
      new Option(
        '--mock',
        'Call a mock in memory with sample data. It forgets all changes at the end.',
      ).conflicts(['baseUrl', 'apiKey']),
    )
    .option('--base-url <url>', 'The URL of the API (default CONFAB_BASE_URL).')
    .addOption(
      new Option('--auth <scheme>', 'The header that carries the API key (default x-api-key).').choices([
        'x-api-key',
        'bearer',
      ]),
    )
    .option(
      '--api-key <key>',
      'The API key. Set CONFAB_API_KEY instead, because other processes can see arguments.',
    )
    .version(packageVersion(import.meta.url), '-v, --version', 'Print the version.')
    .helpOption('-h, --help', 'Print this help.')
    .helpCommand('help [resource]', 'Print the help of a resource.');
  for (const { name, description } of resources) {
    const parent = program.command(name).helpCommand(false);
    for (const command of commands.filter(({ resource }) => resource === name)) {
      addCommand(parent, command, execute);
    }
    if (name === 'leads') {
      addImport(parent, runImport);
    }
    const names = parent.commands.map((command) => command.name()).join(', ');
    parent.description(`${description.replace(/\.$/, '')}: ${names}.`);
  }
  return program.addHelpText('after', () =>
    [
      section(program, 'Environment:', [
        ['CONFAB_API_KEY', 'The API key. On a terminal, the command asks for it if it is not set.'],
        ['CONFAB_BASE_URL', 'The URL of the API.'],
        ['NO_COLOR', 'Turns bold text off.'],
      ]),
      section(
        program,
        'Exit codes:',
        EXIT_CODES.map(([code, when]) => [String(code), when]),
      ),
      section(program, 'Examples:', [
        ['confab leads list --mock', 'Try it without an account.'],
        ['confab leads create --help', 'Show the fields of a lead.'],
        ['confab leads list --status new --all > leads.jsonl', 'Save all new leads.'],
      ]),
    ].join('\n'),
  );
};
