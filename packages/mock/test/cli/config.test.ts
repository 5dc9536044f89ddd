import { expect, expectTypeOf, test } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { refusalOf, startInProcess, writeTempFile } from '../support/command.ts';
import config from '../support/confab.mock.json' with { type: 'json' };

const LEADS = '/api/v2/public/leads';

test('a JSON file of options can be imported and passed to createMock() without a cast', () => {
  expectTypeOf(config).toExtend<MockOptions>();
  createMock(config);
});

test('the options in --config apply to the mock, and flags override them', async () => {
  const path = writeTempFile('confab.mock.json', JSON.stringify({ ...config, seed: 7, latency: 1 }));
  const { call, key } = await startInProcess('--config', path);
  const page = await call(`${LEADS}?limit=2&color=red`);
  expect(page.headers.get('x-ratelimit-limit')).toBe('120');
  expect(page.body.meta.total).toBe(60);
  const missing = await call(`${LEADS}/99999999-9999-4999-8999-999999999999`);
  expect(missing.body).toMatchObject({ code: 'LEAD_NOT_FOUND' });
  expect(key).toBe(createMock({ seed: 7 }).apiKey);

  const other = await startInProcess('--config', path, '--rate-limit', '5', '--seed', '3');
  expect(other.key).toBe(createMock({ seed: 3 }).apiKey);
  expect((await other.call(LEADS)).headers.get('x-ratelimit-limit')).toBe(null);
});

test.for<[string, string]>([
  ['{', 'is not JSON'],
  ['{"behaviour":{}}', 'Unknown createMock() option `behaviour`. Did you mean `behavior`?'],
  ['{"behavior":{"search":{"phone":"prefix"}}}', '`behavior.search.phone` must be one of "part", '],
  ['[]', 'must be an object, got an array'],
  ['null', 'must be an object, got null'],
  ['{"clock":"virtual"}', '`clock` is not an option of the command. Use --host and --port, --clock or'],
  ['{"data":"dmeo"}', '`data` is not an option of the command. Use --host and'],
])('--config refuses a file with %s', async ([text, says]) => {
  const path = writeTempFile('confab.mock.json', text);
  const refusal = await refusalOf('--config', path);
  expect(refusal).toMatchObject({ code: 'USAGE', message: expect.stringContaining(path) });
  expect(String(refusal)).toContain(says);
});

test('the keys in --config are valid besides the default key, unless --key sets the only valid key', async () => {
  const path = writeTempFile('confab.mock.json', JSON.stringify({ keys: [{ key: 'one' }, { key: 'two' }] }));
  const listed = async (...flags: string[]) => {
    const { call } = await startInProcess('--config', path, ...flags);
    return (await call('/__mock/keys')).body.data.length;
  };
  expect([await listed(), await listed('--key', 'three'), await listed('--key', 'one')]).toEqual([3, 1, 1]);
});
