import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { expect, onTestFinished, test } from 'vitest';
import type { CsvRow } from '../src/csv-file.ts';
import { inspectCsv, readRows, toLead } from '../src/csv-file.ts';
import { openFailedRows } from '../src/failed-rows.ts';
import { ImportError } from '../src/import-error.ts';
import { importFile } from '../src/import-file.ts';
import { createProgressDisplay } from '../src/progress.ts';
import { createStateFile } from '../src/state-file.ts';

const createFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'import-csv-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

const write = (content: string | Buffer): string => {
  const path = join(createFolder(), 'leads.csv');
  writeFileSync(path, content);
  return path;
};

test('reads rows with a byte order mark, quotes, line breaks and empty lines', async () => {
  const path = write(
    '\ufeffphone,displayName,notes\r\n+442079460001,"Ada ""L"", Ms","a\nb"\r\n\r\n+442079460002,,\r\n',
  );
  expect((await inspectCsv(path)).rows).toBe(2);
  const rows: CsvRow[] = [];
  for await (const row of readRows(path)) {
    rows.push(row);
  }
  expect(rows.map(({ line }) => line)).toEqual([3, 5]);
  expect(rows.map(toLead)).toEqual([
    { phone: '+442079460001', displayName: 'Ada "L", Ms', notes: 'a\nb' },
    { phone: '+442079460002' },
  ]);
});

test.each([
  ['no phone column', 'displayName\nAda\n', 'The column phone is missing.'],
  ['an unknown column', 'phone,name\n+1,Ada\n', 'Unexpected column "name".'],
  ['a column twice', 'phone,phone\n+1,+2\n', 'Unexpected column "phone".'],
  ['a row with too many cells', 'phone,email\n+1,a@b.c,more\n', 'on line 2'],
  ['a quote that is never closed', `phone,email\n+1,"a@b.c\n${'+2,\n'.repeat(50_000)}`, 'Max Record Size'],
  ['Latin-1', Buffer.from('phone,displayName\n+1,Jos\xe9\n', 'latin1'), 'It is not UTF-8.'],
  ['UTF-16', Buffer.from('\ufeffphone\n+1\n', 'utf16le'), 'It is not UTF-8.'],
])('a file with %s is refused before anything is sent', async (_, content, message) => {
  const error = await inspectCsv(write(content)).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ImportError);
  expect(String(error)).toContain(message);
});

test('a file that does not exist is refused', async () => {
  await expect(inspectCsv(join(createFolder(), 'none.csv'))).rejects.toThrow('no such file');
});

test('failed rows that were written after the last state are written again, not twice', () => {
  const path = join(createFolder(), 'leads.failed.csv');
  const row = (line: number) => ({ line, record: { phone: `+${line}`, reason: 'of an earlier import' } });

  const first = openFailedRows(path, 0);
  first.add(row(2), 'No, thanks');
  const bytes = first.flush();
  first.add(row(3), 'No');
  first.close();
  const second = openFailedRows(path, bytes);
  second.add(row(3), 'No');
  second.close();

  expect(readFileSync(path, 'utf8')).toBe('line,reason,phone\n2,"No, thanks",+2\n3,No,+3\n');
  openFailedRows(path, 0).close();
  expect(() => readFileSync(path)).toThrow('no such file');
});

test('rows that fail because the service is down are repeated, and are not in the file of failed rows', async () => {
  const phones = Array.from({ length: 100 }, (_, index) => `+44207946${1000 + index}`);
  const path = write(['phone', 'none', ...phones].join('\n'));
  const mock = createMock();
  const run = () =>
    importFile({
      confab: createClient({ ...mock.clientOptions, concurrency: 1 }),
      path,
      stop: new AbortController().signal,
      onProgress({ done }) {
        if (done === 30) {
          mock.faults.always('leads.create', { status: 503 });
        }
      },
    });
  await expect(run()).rejects.toThrow('503');
  const { progress } = JSON.parse(readFileSync(`${path}.import.json`, 'utf8')) as { progress: object };
  expect(progress).toMatchObject({ done: 30, created: 29, failed: 1 });
  const failedRows = () => readFileSync(path.replace('.csv', '.failed.csv'), 'utf8').trim().split('\n');
  expect(failedRows()).toHaveLength(2);

  mock.faults.clear();
  expect(await run()).toMatchObject({ progress: { done: 101, created: 100, failed: 1 } });
  expect(failedRows()).toHaveLength(2);
  expect(mock.leads.count()).toBe(100);
});

test('a damaged state file is refused, a missing one is not', () => {
  const path = join(createFolder(), 'leads.csv.import.json');
  const file = createStateFile(path);
  expect(file.load()).toBeUndefined();
  const progress = { done: 3, created: 1, existing: 1, unknown: 0, failed: 1 };
  const state = { digest: 'a', progress, failedBytes: 7 };
  file.save(state);
  expect(file.load()).toEqual(state);
  for (const damaged of ['{"digest":', 'null', '{"digest":"a","progress":{"done":-1},"failedBytes":0}']) {
    writeFileSync(path, damaged);
    expect(() => file.load()).toThrow('Run with --restart');
  }
  file.remove();
  expect(file.load()).toBeUndefined();
});

const progressOf = (done: number) => ({ done, created: done, existing: 0, unknown: 0, failed: 0 });

test('a terminal shows a bar that is redrawn ten times a second', () => {
  let now = 0;
  const written: string[] = [];
  const display = createProgressDisplay({ isTTY: true, write: (text) => written.push(text) }, () => now);
  for (now = 0; now <= 250; now += 10) {
    display.update(progressOf(now), 2_500);
  }
  display.end();
  expect(written).toEqual([
    '\r\u001b[K[........................] 100 of 2,500 rows: 100 created',
    '\r\u001b[K[#.......................] 200 of 2,500 rows: 200 created',
    '\r\u001b[K[##......................] 250 of 2,500 rows: 250 created',
    '\n',
  ]);
});

test('anything else shows plain lines', () => {
  let now = 0;
  const written: string[] = [];
  const display = createProgressDisplay({ write: (text) => written.push(text) }, () => now);
  for (now = 0; now <= 6_000; now += 1_000) {
    display.update(progressOf(now), 12_000);
  }
  display.print('A message');
  display.end();
  expect(written).toEqual([
    '5,000 of 12,000 rows: 5,000 created\n',
    'A message\n',
    '6,000 of 12,000 rows: 6,000 created\n',
  ]);
});
