import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { create, folder, startCommand } from '../support/command.ts';

const rows = (...phones: string[]) =>
  `# rows\nleads:\n${phones.map((phone) => `  - phone: '${phone}'\n`).join('')}`;

const [ANA, BEN, CARL] = ['+5511987654321', '+5511987654322', '+5511987654323'] as const;

/** A watched file, the process that serves it, and the phone numbers in its list of leads. */
const watched = async (...flags: string[]) => {
  const path = join(folder(), 'rows.yaml');
  writeFileSync(path, rows(ANA));
  const started = await startCommand('--data', path, '--watch', ...flags);
  const leads = async () => (await started.call('/api/v2/public/leads')).body.data;
  const phones = async () => (await leads()).map(({ phone }) => phone).toSorted();
  return { ...started, path, leads, phones };
};

test('with --watch, a changed data file replaces all rows, and a reset restores the new rows', async () => {
  const { path, call, leads, phones, printed, stop } = await watched('--fault', 'agents.list:418');
  const [before] = await leads();
  await call('/api/v2/public/leads', create(CARL));
  expect(await phones()).toEqual([ANA, CARL]);
  writeFileSync(path, rows(ANA, BEN));
  await printed(/Loaded \S+rows\.yaml again: it has 2 leads\./);
  expect(await phones()).toEqual([ANA, BEN]);
  // With the same seed, the same row gets the same id. The rest of the mock stays.
  expect((await leads()).find(({ phone }) => phone === ANA)?.id).toBe(before?.id);
  expect((await call('/api/v2/public/agents')).status).toBe(418);
  await call('/api/v2/public/leads', create(CARL));
  await call('/__mock/reset', { method: 'POST' });
  expect(await phones()).toEqual([ANA, BEN]);
  expect((await stop()).code).toBe(0);
});

test('with --watch, an invalid or missing data file is reported, and the rows stay until it is valid again', async () => {
  const { path, phones, printed, complained, stop } = await watched('--clock', 'virtual');
  writeFileSync(path, 'leads: [');
  await complained(/The mock keeps its rows: \S+rows\.yaml is not YAML: [^\n]+\n/);
  expect(await phones()).toEqual([ANA]);
  writeFileSync(path, rows('nonsense'));
  await complained(/keeps its rows: Cannot load \S+rows\.yaml: data\.leads\[0\] cannot be stored: phone/);
  expect(await phones()).toEqual([ANA]);
  rmSync(path);
  await complained(/keeps its rows: .+; \S+rows\.yaml does not exist/);
  expect(await phones()).toEqual([ANA]);
  writeFileSync(path, rows(BEN));
  await printed(/it has 1 lead\./);
  // Many editors save by replacing the file.
  writeFileSync(`${path}.new`, `${rows(BEN, CARL)}    createdAt: 2031-01-01T00:00:00Z\n`);
  renameSync(`${path}.new`, path);
  await printed(/it has 2 leads/);
  expect(await phones()).toEqual([BEN, CARL]);
  expect((await stop()).errors.match(/keeps its rows/g)).toHaveLength(3);
});

test('with --watch, the faults of the data file are replaced too, and all other faults stay', async () => {
  const { path, call, printed, stop } = await watched('--fault', 'leads.create:503');
  const statuses = async () => [
    (await call('/api/v2/public/agents')).status,
    (await call('/api/v2/public/leads', { method: 'POST', body: '{}' })).status,
  ];
  const reload = async (faults: string, nth: number) => {
    writeFileSync(path, `${rows(ANA)}${faults}`);
    await printed(new RegExp(`(?:Loaded[^]*){${nth}}`));
  };
  for (const [nth, status] of [403, 429].entries()) {
    await reload(
      `faults: [{ operation: agents.list, once: false, fault: { status: ${status} } }]\n`,
      nth + 1,
    );
    expect(await statuses()).toEqual([status, 503]);
    await call('/__mock/reset', { method: 'POST' });
    expect(await statuses()).toEqual([status, 503]);
  }
  await reload('', 3);
  expect(await statuses()).toEqual([200, 503]);
  expect((await stop()).output.match(/Loaded/g)).toHaveLength(3);
});
