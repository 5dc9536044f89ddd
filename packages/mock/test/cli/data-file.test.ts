import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { expect, test } from 'vitest';
import { readData } from '../../src/cli/data-file.ts';
import { folder, refusalOf, serving } from '../support/command.ts';

const written = (name: string, text: string): string => {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
};

/** A file of few bytes that would expand to gigabytes. */
const BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`).join('\n')}\n`;

const LEADS = '/api/v2/public/leads';

/** A file of holes, which takes no room on the disk. */
const hollow = (name: string, bytes: number): string => {
  const path = join(folder(), name);
  closeSync(openSync(path, 'w'));
  truncateSync(path, bytes);
  return path;
};

test.each(['--data', '--state'])('%s refuses devices and folders, which may never end', async (flag) => {
  for (const path of ['/dev/zero', '/dev/full', folder()]) {
    expect(await refusalOf(flag, path)).toEqual(
      new UsageError(`Can't read ${path}: it must be a regular file`),
    );
  }
});

test.each(['rows.json', 'rows.yaml'])(
  '%s is refused unless it is UTF-8, because names would change',
  async (name) => {
    const path = join(folder(), name);
    const text = '{"leads": [{"phone": null, "displayName": "Zoë"}]}';
    const flags = name.endsWith('.json') ? ['--data', '--state'] : ['--data'];
    for (const encoding of ['latin1', 'utf16le'] as const) {
      writeFileSync(path, text, encoding);
      for (const flag of flags) {
        expect(await refusalOf(flag, path)).toEqual(
          new UsageError(`Can't read ${path}: it is not valid UTF-8. Save it in that encoding.`),
        );
      }
    }
    writeFileSync(path, `\uFEFF${text}`);
    const { rows } = await readData(path);
    expect(rows).toMatchObject({ leads: [{ displayName: 'Zoë' }] });
  },
);

test('a file that is too large to be loaded is refused with the limit', async () => {
  const [json, yaml] = [hollow('rows.json', 128 * 2 ** 20 + 1), hollow('rows.yaml', 2 ** 18 + 1)];
  const says = (path: string, limit: string) =>
    `Can't read ${path}: it is larger than ${limit}, the most that is loaded into memory.`;
  expect(await refusalOf('--data', json)).toEqual(new UsageError(says(json, '128 MiB')));
  expect(await refusalOf('--state', json)).toEqual(new UsageError(says(json, '128 MiB')));
  expect(await refusalOf('--data', yaml)).toEqual(
    new UsageError(`${says(yaml, '256 KiB')} Write it as JSON, which is read much faster.`),
  );
  expect(await refusalOf('--tls-cert', json, '--tls-key', json)).toEqual(new UsageError(says(json, '1 MiB')));
});

test.each([
  ['rows.json', '', 'is not JSON: Unexpected end of JSON input'],
  ['rows.json', '{\n  "leads": [\n    { "phone": null },\n  ]\n}\n', "is not JSON: Unexpected token ']'"],
  [
    'rows.json',
    '{"leads": "a\nb"}',
    'is not JSON: Bad control character in string literal in JSON at position 12',
  ],
  ['rows.json', '[]', 'must contain an object with arrays of rows: pipelines, agents'],
  ['rows.json', '{"leads": {}}', 'must contain an object with arrays of rows'],
  ['rows.json', `{"leads": ${'['.repeat(200)}${']'.repeat(200)}}`, 'it is nested too deeply'],
  ['rows.json', '{"lead": []}', 'Unknown list `lead`. Did you mean `leads`?'],
  [
    'rows.json',
    '{"customers": []}',
    'Unknown list `customers`. Known: pipelines, agents, leads, conversations, messages, faults',
  ],
  ['rows.json', '{"leads":[{"phone":"+5511987654321"},{"phone":"+5511987654321"}]}', '+5511987654321'],
  ['rows.json', '{"leads":[{"phone":"none\\nat all"}]}', 'E.164'],
  ['rows.json', '{"faults":[{"operation":"agents.list"}]}', 'faults[0].fault is required'],
  [
    'rows.json',
    '{"faults":[{"operation":"agents.lst","fault":{"status":500}}]}',
    'Did you mean "agents.list"?',
  ],
  ['rows.yaml', '- 1', 'must contain an object with arrays of rows'],
  ['rows.yml', 'leads:\n  - phone: "x', 'is not YAML: Missing closing "quote at line 2, column'],
  ['rows.yaml', 'leads:\n  - source: *nothing', 'Unresolved alias'],
  ['rows.yaml', 'leads:\n  - source: !secret hush', 'Unresolved tag: !secret at line 2'],
  ['rows.yaml', 'leads:\n  - phone: null\n    phone: null', 'Map keys must be unique at line 3'],
  ['rows.yaml', 'leads:\n  - phone: 5511987654321', 'phone'],
  ['rows.yaml', BOMB, 'Excessive alias count'],
])('%s with %j is refused in one line', async (name, text, says) => {
  const path = written(name, text);
  const error = await refusalOf('--data', path);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(says);
  // Neither a line break nor anything else that a terminal obeys.
  expect(String(error)).not.toMatch(/\p{Cc}/u);
});

test('a phone in YAML needs no quotes, and a date-time none either', async () => {
  const path = written(
    'rows.yaml',
    '# sample\nleads:\n  - phone: +5511987654321\n    createdAt: 2026-01-01T00:00:00Z\n',
  );
  const { call } = await serving('--data', path);
  expect((await call(LEADS)).body.data).toMatchObject([
    { phone: '+5511987654321', createdAt: '2026-01-01T00:00:00.000Z' },
  ]);
});

test('the largest YAML file is read in a moment, however many keys one map has', async () => {
  const keys = Array.from({ length: 18_500 }, (_, at) => `    k${at}: 1\n`).join('');
  const path = written('rows.yaml', `leads:\n  -\n${keys}`);
  const began = performance.now();
  await readData(path);
  // Half a second; it was fifteen while each key was compared with all others.
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('a data file may hold faults', async () => {
  const path = written(
    'rows.json',
    '{"faults":[{"operation":"agents.list","fault":{"status":418},"once":false}]}',
  );
  const { call } = await serving('--data', path);
  expect((await call('/api/v2/public/agents')).status).toBe(418);
});

test('aliases and merge keys work in YAML, however often', async () => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `  - { <<: *usual, source: *where, displayName: L${at} }`,
  );
  const path = written(
    'rows.yaml',
    `leads:\n  - &usual { status: lost, source: &where web, displayName: First }\n${rows.join('\n')}\n`,
  );
  const { call } = await serving('--data', path);
  const { body } = await call(`${LEADS}?status=lost&source=web`);
  expect(body.meta.total).toBe(301);
});

test('values that the contract does not have are loaded with a warning', async () => {
  const leads = ['actve', 'paused', 'new'].map((status) => ({ status }));
  const path = written('rows.json', JSON.stringify({ leads, conversations: [{ priority: 'hihg' }] }));
  const { warned } = await serving('--data', path);
  expect(warned).toEqual([
    `${path}: leads[0].status has the value \`actve\`, which is not in the contract. Did you mean active?`,
    `${path}: leads[1].status has the value \`paused\`, which is not in the contract. Known: new, active, qualified, converted, lost.`,
    `${path}: conversations[0].priority has the value \`hihg\`, which is not in the contract. Did you mean high?`,
  ]);
  const many = written(
    'many.json',
    JSON.stringify({ leads: Array.from({ length: 6 }, () => ({ status: 'odd' })) }),
  );
  expect((await readData(many)).warnings.slice(5)).toEqual([`${many}: 1 more value is not in the contract`]);
});
