import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@confab/client';
import { expect, expectTypeOf, test } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { folder, refusalOf, serving } from '../support/command.ts';
import config from '../support/confab.mock.json' with { type: 'json' };

const saved = (text: string): string => {
  const path = join(folder(), 'confab.mock.json');
  writeFileSync(path, text);
  return path;
};

const LEADS = '/api/v2/public/leads';

test('an imported file of options has the type of options', async () => {
  expectTypeOf(config).toExtend<MockOptions>();
  const confab = createClient(createMock(config).clientOptions);
  await expect(confab.leads.get('99999999-9999-4999-8999-999999999999')).rejects.toMatchObject({
    code: 'LEAD_NOT_FOUND',
  });
});

test('--config shapes the service, and flags override it', async () => {
  const path = saved(JSON.stringify({ ...config, seed: 7, latency: 1 }));
  const { call, key } = await serving('--config', path);
  const page = await call(`${LEADS}?limit=2&color=red`);
  expect(page.headers.get('x-ratelimit-limit')).toBe('120');
  expect(page.body.meta.total).toBe(60);
  expect((await call(`${LEADS}/99999999-9999-4999-8999-999999999999`)).body).toMatchObject({
    code: 'LEAD_NOT_FOUND',
  });
  expect(key).toBe(createMock({ seed: 7 }).apiKey);

  const other = await serving('--config', path, '--rate-limit', '5', '--seed', '3');
  expect(other.key).toBe(createMock({ seed: 3 }).apiKey);
  expect((await other.call(LEADS)).headers.get('x-ratelimit-limit')).toBe(null);
});

test.for<[string, string]>([
  ['{', 'is not JSON'],
  ['{"behaviour":{}}', 'Unknown option of createMock() `behaviour`. Did you mean `behavior`?'],
  ['{"behavior":{"search":{"phone":"prefix"}}}', 'Unknown value of behavior.search.phone "prefix".'],
  ['[]', 'must be an object, got an array'],
  ['{"clock":"virtual"}', '`clock` is no option of the command. Use --clock instead.'],
  ['{"data":"demo"}', '`data` is no option of the command. Use --data instead.'],
])('--config refuses a file with %s', async ([text, says]) => {
  const path = saved(text);
  const refusal = await refusalOf('--config', path);
  expect(refusal).toMatchObject({ code: 'USAGE', message: expect.stringContaining(says) });
  expect(refusal).toMatchObject({ message: expect.stringContaining(path) });
});

test('--config refuses a file that does not exist, and --forward, which starts no mock', async () => {
  expect(await refusalOf('--config', '/nowhere/confab.mock.json')).toMatchObject({
    message: '--config must be the path of a JSON file; /nowhere/confab.mock.json does not exist',
  });
  const path = saved('{}');
  expect(await refusalOf('--config', path, '--forward', 'https://api.example.com')).toMatchObject({
    message: expect.stringContaining("'--config <file>' cannot be used with option '--forward <url>'"),
  });
});
