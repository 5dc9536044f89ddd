import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseFlags, UsageError } from '@confab/internal/cli';
import { dataSchema } from '../world/data/data-schema.ts';
import { startingData } from '../world/data/starting-data.ts';
import { readIfThere, reasonOf } from './read-file.ts';

const DEFAULT_FILE = 'confab-mock.yaml';

/** The flags, as `parseArgs` of Node describes them. */
const OPTIONS = { force: { type: 'boolean', default: false } } as const;

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const toYaml = async (schema: string): Promise<string> => {
  const yaml = await import('yaml');
  return [
    `# yaml-language-server: $schema=./${schema}`,
    '# Rows for confab-mock to start with. Fields that a row leaves out get a default.',
    yaml.stringify(startingData),
  ].join('\n');
};

const write = (path: string, text: string): void => {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new UsageError(`Can't write ${path}: ${reasonOf(error)}`);
  }
};

/** @throws {@link UsageError} When a file exists that would change, or the path leads to anything but a file. */
const checkPath = (path: string, text: string, force: boolean): void => {
  const before = readIfThere(path);
  if (before !== undefined && before !== text && !force) {
    throw new UsageError(`${path} already exists. To overwrite it, add --force.`);
  }
};

const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : JSON.stringify(path));

/**
 * Writes a data file to start with, and its JSON Schema next to it.
 *
 * @param args The arguments after `init`.
 * @returns What to print.
 * @throws {@link UsageError} When an argument is invalid, or a file exists already.
 */
export const init = async (args: readonly string[]): Promise<string> => {
  const { values, positionals } = parseFlags(args, { options: OPTIONS, allowPositionals: true });
  const [path = DEFAULT_FILE, another] = positionals;
  if (another !== undefined) {
    throw new UsageError(`init writes one file, got ${JSON.stringify(path)} and ${JSON.stringify(another)}`);
  }
  const [extension] = /\.(?:ya?ml|json)$/i.exec(path) ?? [];
  if (extension === undefined) {
    throw new UsageError(`init writes a file that ends in .yaml, .yml or .json, got ${JSON.stringify(path)}`);
  }
  const schemaPath = `${path.slice(0, -extension.length)}.schema.json`;
  const schema = basename(schemaPath);
  const isJson = extension.toLowerCase() === '.json';
  const files = [
    [path, isJson ? toJson({ $schema: `./${schema}`, ...startingData }) : await toYaml(schema)],
    [schemaPath, toJson(dataSchema())],
  ] as const;
  for (const [file, text] of files) {
    checkPath(file, text, values.force);
  }
  for (const [file, text] of files) {
    write(file, text);
  }
  return `Created ${path} and ${schemaPath}.\nStart the mock with: confab-mock --data ${quoted(path)} --watch\n`;
};
