import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { expect, test } from 'vitest';
import dataSchema from '../../data.schema.json' with { type: 'json' };
import { folder, runInProcess, startInProcess } from '../support/command.ts';

/** Runs `confab-mock init`, and resolves to its output. */
const init = async (...args: string[]): Promise<string> =>
  (await runInProcess('init', ...args)).printed.join('');

const read = (path: string) => readFileSync(path, 'utf8');

test.each([
  ['rows.yaml', '# yaml-language-server: $schema=./rows.schema.json\n'],
  ['rows.json', '{\n  "$schema": "./rows.schema.json",\n'],
])('init writes %s with a reference to its schema, and --data loads it', async (file, reference) => {
  const path = join(folder(), file);
  expect(await init(path)).toContain(`npx @confab/mock --data ${path} --watch\n`);
  expect(read(path).startsWith(reference)).toBe(true);
  expect(JSON.parse(read(join(path, '../rows.schema.json')))).toEqual(dataSchema);
  const { call } = await startInProcess('--data', path);
  expect((await call('/api/v2/public/leads')).body.data).toMatchObject([{ displayName: 'Ana Almeida' }]);
});

test('init without --force overwrites neither the data file nor its schema', async () => {
  const path = join(folder(), 'rows.yaml');
  const schema = join(path, '../rows.schema.json');
  const refusal = (file: string) =>
    new UsageError(`${file} exists already. Choose a different file, or replace it with --force.`);
  writeFileSync(schema, 'mine');
  await expect(init(path)).rejects.toThrow(refusal(schema));
  expect(existsSync(path)).toBe(false);
  await init(path, '--force');
  await init(path);
  writeFileSync(path, 'mine');
  await expect(init(path)).rejects.toThrow(refusal(path));
  expect(read(path)).toBe('mine');
});

test.each([
  [['rows.toml'], 'init writes a file that ends in .yaml, .yml or .json, got "rows.toml"'],
  [['a.yaml', 'b.yaml'], "Too many arguments for 'init'. Expected 1 argument but got 2: a.yaml, b.yaml. See"],
  [['--forse'], 'Unknown flag --forse. Did you mean --force? See confab-mock init --help.'],
  [['/missing/rows.yaml'], 'Cannot write /missing/rows.yaml: the folder /missing does not exist'],
])('init refuses the arguments %j in one line', async (args, message) => {
  await expect(init(...args)).rejects.toThrow(message);
  await expect(init(...args)).rejects.toBeInstanceOf(UsageError);
});
