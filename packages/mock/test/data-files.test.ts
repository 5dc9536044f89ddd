import { closeSync, openSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '@confab/internal/cli';
import { expect, test } from 'vitest';
import type { ForwardFlags } from '../src/cli/forward-flags.ts';
import { parseFlags } from '../src/cli/parse-flags.ts';
import { openRecordFile } from '../src/cli/record-file.ts';
import { readData } from '../src/cli/rows-file.ts';
import { start } from '../src/cli/start.ts';
import { folder, refusalOf, serving } from './support/command.ts';

const written = (name: string, text: string): string => {
  const path = join(folder(), name);
  writeFileSync(path, text);
  return path;
};

const LEADS = '/api/v2/public/leads';

/** A file of holes, which takes no room on the disk. */
const hollow = (name: string, bytes: number): string => {
  const path = join(folder(), name);
  closeSync(openSync(path, 'w'));
  truncateSync(path, bytes);
  return path;
};

test.each(['--data', '--state'])('%s refuses devices and folders, which may never end', async (flag) => {
  for (const [path, kind] of [
    ['/dev/zero', 'a device'],
    ['/dev/full', 'a device'],
    [folder(), 'a directory'],
  ] as const) {
    expect(await refusalOf(flag, path)).toEqual(
      new UsageError(`Can't read ${path}: it must be a regular file, and is ${kind}`),
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

test('a file in another encoding can still be replaced', async () => {
  const path = join(folder(), 'recording.json');
  writeFileSync(path, 'Zoë', 'latin1');
  openRecordFile(path, { force: true, keepPersonalData: false } as ForwardFlags, () => {}).lock.release();
});

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
  [
    '{\n"leads": [\n{"phone": null,\n"phone": null}]}',
    'the field "phone" occurs twice in one object, at line 4',
  ],
  ['{"leads": [],\n"lea\\u0064s": []}', 'the field "leads" occurs twice in one object, at line 2'],
  ['{"leads": [\n{"__proto__": {"status": "lost"}}]}', 'no field can have the name __proto__, at line 2'],
  [`{"leads": ${'['.repeat(200)}${']'.repeat(200)}}`, 'it is nested too deeply'],
  ['{"lead": []}', 'Unknown list `lead`. Did you mean `leads`?'],
  [
    '{"customers": []}',
    'Unknown list `customers`. Known: pipelines, agents, leads, conversations, messages, faults',
  ],
])('JSON: %j', async (text, says) => {
  const path = written('rows.json', text);
  expect(String(await refusalOf('--data', path))).toContain(`Can't load ${path}: ${says}`);
});

test('equal names in different objects, and quotes and braces within texts, are no problem', async () => {
  const text = '{"leads": [{"notes": "\\"a\\": {", "source": "a"}, {"notes": "b", "source": "a"}]}';
  expect((await readData(written('rows.json', text))).rows).toEqual(JSON.parse(text));
});

test.each([
  [
    'phone: +5511987654321',
    'YAML reads +5511987654321 as a number, and phone must be a text. Put it in quotes: phone: "+5511987654321", at line 2',
  ],
  [
    'displayName: true',
    'YAML reads true as a boolean, and displayName must be a text. Put it in quotes: displayName: "true", at line 2',
  ],
  ['__proto__: { status: lost }', 'no field can have the name __proto__, at line 2'],
  ['source: *nothing', 'the alias *nothing stands for nothing, at line 2'],
  [`source: ${'['.repeat(300)}${']'.repeat(300)}`, 'it is nested too deeply, at line 2'],
  ['source: &self [*self]', 'the alias *self stands for a value that contains it, at line 2'],
  ['source: !secret hush', 'Unresolved tag'],
  ['phone: null\n    phone: null', 'the field "phone" occurs twice in one object, at line 3'],
])('YAML: %s', async (field, says) => {
  const path = written('rows.yaml', `leads:\n  - ${field}\n`);
  expect(String(await refusalOf('--data', path))).toContain(says);
});

test.each([
  ['keys', (at: number) => `k${at}: 1\n`],
  ['keys in braces', (at: number) => `${at === 0 ? '{' : ''}k${at},`],
  ['errors', () => ']'],
  ['errors in a line each', () => ': : :\n'],
  ['unknown tags', () => '- !x y\n'],
  ['brackets within each other', () => '['],
])('no YAML file takes much longer than its size explains: %s', async (_, part) => {
  let text = '';
  for (let at = 0; text.length < 256 * 1024 - 20; at += 1) {
    text += part(at);
  }
  const path = written('rows.yaml', text);
  const before = process.cpuUsage();
  expect(await refusalOf('--data', path)).toBeInstanceOf(UsageError);
  // Of the processor, because the machine may have other things to do.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(4);
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

test('an anchor that is set twice stands for its latest value, even after an alias has repeated the first', async () => {
  const path = written(
    'rows.yaml',
    'leads:\n  - &one { source: &a web }\n  - { source: &a mail }\n  - *one\n  - { source: *a }\n',
  );
  const sources = ((await readData(path)).rows as { leads: { source: string }[] }).leads;
  expect(sources.map(({ source }) => source)).toEqual(['web', 'mail', 'web', 'mail']);
});

test('values that the contract does not have are loaded with a warning', async () => {
  const leads = ['actve', 'paused', 'new'].map((status) => ({ status }));
  const path = written('rows.json', JSON.stringify({ leads, conversations: [{ priority: 'hihg' }] }));
  const warnings: string[] = [];
  const stop = await start(
    parseFlags(['--port', '0', '--data', path]),
    () => {},
    (text) => warnings.push(text),
  );
  await stop();
  expect(warnings).toEqual([
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
