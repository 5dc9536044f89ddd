import { truncateSync } from 'node:fs';
import { UsageError } from '@confab/internal/cli';
import { expect, test } from 'vitest';
import { readData } from '../../src/cli/data-file.ts';
import { refusalOf, startInProcess, writeTempFile } from '../support/command.ts';

const LEADS = '/api/v2/public/leads';

/** A sparse file, which takes up no disk space. */
const sparseFile = (name: string, bytes: number): string => {
  const path = writeTempFile(name, '');
  truncateSync(path, bytes);
  return path;
};

test.each(['/dev/zero', import.meta.dirname])(
  '--data refuses %s, which is not a regular file',
  async (path) => {
    expect(await refusalOf('--data', path)).toEqual(new UsageError(`${path} must be a regular file`));
  },
);

test('--data refuses a file that is not UTF-8, because replacement characters would change names', async () => {
  const text = '{"leads": [{"phone": null, "displayName": "Zoë"}]}';
  const path = writeTempFile('rows.json', text, 'latin1');
  const says = `Cannot read ${path}: The encoded data was not valid for encoding utf-8`;
  expect(await refusalOf('--data', path)).toEqual(new UsageError(says));
  const rows = await readData(writeTempFile('rows.yaml', `\uFEFF${text}`));
  expect(rows).toMatchObject({ leads: [{ displayName: 'Zoë' }] });
});

test('--data refuses a file that is too large, and the message has the limit', async () => {
  const [json, yaml] = [sparseFile('rows.json', 128 * 2 ** 20 + 1), sparseFile('rows.yaml', 2 ** 18 + 1)];
  const refusal = (path: string, limit: string) => new UsageError(`${path} must not be larger than ${limit}`);
  const hint = '256 KiB. Write it as JSON, which is read much faster.';
  expect(await refusalOf('--data', json)).toEqual(refusal(json, '128 MiB'));
  expect(await refusalOf('--data', yaml)).toEqual(refusal(yaml, hint));
});

test.each([
  ['rows.json', '{\n  "leads": [\n    { "phone": null },\n  ]\n}\n', "is not JSON: Unexpected token ']'"],
  ['rows.json', '[]', 'must contain an object with arrays of rows: pipelines, leads'],
  ['rows.json', `{"leads": ${'['.repeat(200)}${']'.repeat(200)}}`, 'it is nested too deeply'],
  ['rows.json', '{"lead": []}', 'Unknown data list `lead`. Did you mean `leads`?'],
  ['rows.json', '{"leads":[{"phone":"+5511987654321"},{"phone":"+5511987654321"}]}', '+5511987654321'],
  ['rows.json', '{"faults":[{"operation":"agents.list"}]}', 'data.faults[0]: `fault` must be an object'],
  ['rows.json', '{"faults":[{"operation":"agents.lst","fault":{"status":500}}]}', 'you mean "agents.list"?'],
  ['rows.yaml', '- 1', 'must contain an object with arrays of rows'],
  [
    'rows.yml',
    'leads:\n  - phone: "x',
    'is not YAML: unexpected end of the stream within a double quoted scalar at line 2',
  ],
  ['rows.yaml', 'leads:\n  - source: !secret hush', 'unknown scalar tag !<!secret> at line 2'],
  ['rows.yaml', 'leads:\n  - phone: null\n    phone: null', 'duplicated mapping key at line 3'],
  ['rows.yaml', 'leads:\n  - phone: 5511987654321', 'phone'],
])('--data refuses %s with the text %j in one line', async (name, text, says) => {
  const path = writeTempFile(name, text);
  const error = await refusalOf('--data', path);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(says);
  expect(String(error)).toContain(path);
  // A terminal obeys line breaks and other control characters.
  expect(String(error)).not.toMatch(/\p{Cc}/u);
});

const tenTimes = (alias: string): string => `[${Array(10).fill(alias).join(', ')}]`;
const lists = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(
  (level) => `l${level}: &l${level} ${tenTimes(`*l${level - 1}`)}`,
);
const keys = Array.from({ length: 100 }, (_, index) => `k${index}: 0`);

test.each([
  [
    'lists of lists',
    `faults:\n- operation: leads.list\n  fault: { body: { l0: &l0 [], ${lists.join(', ')} } }\n`,
    'Its aliases make more than 500000 values',
  ],
  [
    'merged maps',
    `a: &a { ${keys.join(', ')} }\nleads:\n${'- <<: *a\n'.repeat(6_000)}`,
    'merge keys exceeded maxTotalMergeKeys (500000)',
  ],
])('--data refuses a small YAML file whose %s would fill the memory', async (_, text, says) => {
  expect(String(await refusalOf('--data', writeTempFile('rows.yaml', text)))).toContain(says);
});

test('a YAML data file can have aliases, merge keys, and unquoted phone numbers and date-times', async () => {
  const usual = '&usual { status: lost, source: &where web, phone: +5511987654321 }';
  const other = '{ <<: *usual, source: *where, phone: null, createdAt: 2027-01-01T00:00:00Z }';
  const path = writeTempFile('rows.yaml', `leads:\n  - ${usual}\n  - ${other}\n`);
  const { call } = await startInProcess('--data', path);
  expect((await call(`${LEADS}?status=lost&source=web`)).body.data).toMatchObject([
    { phone: null, createdAt: '2027-01-01T00:00:00.000Z' },
    { phone: '+5511987654321' },
  ]);
});

test('--data loads values outside the contract, with a warning for the first five', async () => {
  const leads = ['actve', 'paused', 'new'].map((status) => ({ status }));
  const path = writeTempFile('rows.json', JSON.stringify({ leads }));
  const { warned } = await startInProcess('--data', path);
  const known = 'must be one of "new", "active", "qualified", "converted", "lost"';
  expect(warned).toEqual([
    `${path}: leads[0].status ${known}, got "actve"`,
    `${path}: leads[1].status ${known}, got "paused"`,
  ]);
  const many = writeTempFile('many.json', JSON.stringify({ leads: Array(6).fill({ status: 'odd' }) }));
  const { warned: more } = await startInProcess('--data', many);
  expect(more.slice(5)).toEqual([`${many}: 1 more value is not in the contract`]);
});
