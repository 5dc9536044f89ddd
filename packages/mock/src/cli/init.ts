import { basename } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import type { Command } from 'commander';
import dataSchema from '../../data.schema.json' with { type: 'json' };
import type { MockData } from '../world/store/store.ts';
import { checkNewFile, readIfExists, toJson, writeText } from './files.ts';
import type { Io } from './io.ts';

const LEAD = '22222222-2222-4222-8222-222222222222';
const CONVERSATION = '33333333-3333-4333-8333-333333333333';

/** The rows of the file that `confab-mock init` writes: one of each kind, to copy and to change. */
export const startingData: MockData = {
  pipelines: [{ name: 'Sales' }],
  agents: [{ name: 'Qualifier', description: 'Finds out what a lead needs' }],
  leads: [
    {
      id: LEAD,
      phone: '+12025550123',
      displayName: 'Ana Almeida',
      email: 'ana@example.com',
      source: 'website',
      status: 'new',
      notes: 'Asked for a quote',
    },
  ],
  conversations: [{ id: CONVERSATION, leadId: LEAD, channel: 'live_chat', status: 'open' }],
  messages: [
    { conversationId: CONVERSATION, senderType: 'lead', direction: 'inbound', content: 'Hello!' },
    { conversationId: CONVERSATION, senderType: 'ai', direction: 'outbound', content: 'Hello Ana!' },
  ],
};

const toYaml = async (schema: string): Promise<string> => {
  const yaml = await import('js-yaml');
  return [
    `# yaml-language-server: $schema=./${schema}`,
    '# Rows for confab-mock to start with. Fields that a row leaves out get a default.',
    yaml.dump(startingData),
  ].join('\n');
};

const quotePath = (path: string): string => (/^[\w./-]+$/.test(path) ? path : JSON.stringify(path));

/** Writes a data file to start with, and its JSON Schema next to it. Returns what to print. */
const init = async (path: string, force: boolean): Promise<string> => {
  const [extension] = /\.(?:ya?ml|json)$/i.exec(path) ?? [];
  if (extension === undefined) {
    throw new UsageError(`init writes a file that ends in .yaml, .yml or .json, got ${JSON.stringify(path)}`);
  }
  const schemaPath = `${path.slice(0, -extension.length)}.schema.json`;
  const schema = basename(schemaPath);
  const isJson = extension.toLowerCase() === '.json';
  const files = [
    [path, isJson ? toJson({ $schema: `./${schema}`, ...startingData }) : await toYaml(schema)],
    [schemaPath, toJson(dataSchema)],
  ] as const;
  for (const [file, text] of files) {
    // Replacing a file with the same text changes nothing.
    checkNewFile(file, force || readIfExists(file) === text);
  }
  for (const [file, text] of files) {
    writeText(file, text);
  }
  return `Created ${path} and ${schemaPath}.\nStart the mock with: npx @confab/mock --data ${quotePath(path)} --watch\n`;
};

/** Adds the command `init`. */
export const addInit = (program: Command, { print }: Io): void => {
  program
    .command('init')
    .description('Writes a data file to start with, and its JSON Schema.')
    .argument('[file]', '.yaml, .yml or .json', 'confab-mock.yaml')
    .option('--force', 'overwrite files that exist')
    .addHelpText('after', '\nExamples:\n  confab-mock init rows.json\n  confab-mock --data rows.json --watch')
    .action(async (path: string, { force = false }: { force?: boolean }) => print(await init(path, force)));
};
