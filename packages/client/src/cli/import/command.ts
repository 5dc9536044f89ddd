import { integerFlag } from '@confab/internal/cli';
import type { Command } from 'commander';
import { Option } from 'commander';
import { readMap } from './columns.ts';
import { readCountry } from './country.ts';
import type { ImportFlags } from './import-leads.ts';
import { readEncoding } from './import-leads.ts';

/** Adds `confab leads import <file>` to the commands of leads. */
export const addImport = (leads: Command, run: (file: string, flags: ImportFlags) => Promise<void>): void => {
  leads
    .command('import')
    .summary('Import leads from a CSV or JSON Lines file.')
    .description(
      'Imports leads from a CSV file (commas, semicolons or tabs), or from a file with one JSON object per line. A lead that has the phone already is kept, or updated. The file is checked before anything is sent.\n\nThe key needs the scopes `write:leads` and `read:leads`.',
    )
    .argument('<file>', 'The file, or - for standard input, which is checked as it arrives.')
    .option(
      '--map <field=column,…>',
      'The columns of fields, such as phone=Telefone,displayName=Nome. Columns with usual names need no --map.',
      readMap,
    )
    .option(
      '--ignore <column>',
      'A column to leave out. Repeat the flag for each. Unknown columns are refused otherwise.',
      (column, earlier: readonly string[] = []) => [...earlier, column],
    )
    .addOption(
      new Option('--on-existing <action>', 'What to do with the fields of a lead that exists.')
        .choices(['keep', 'update'])
        .default('keep'),
    )
    .option(
      '--country <code>',
      'The country of phone numbers without a country code, such as BR; none sends them as they are. Required if there are any. With a country, numbers that are not valid fail.',
      readCountry,
    )
    .option(
      '--encoding <name>',
      'The encoding of the file, such as windows-1252 (default UTF-8).',
      readEncoding,
    )
    .option(
      '--failed <file>',
      'Where to write the rows that failed, with their reasons, to be imported again. What the file contains is replaced, or with --skip, kept.',
    )
    .option('--skip <n>', 'The number of rows that an earlier run has done.', integerFlag(0), 0)
    .action((file: string, _flags, command: Command) => run(file, command.optsWithGlobals()));
};
