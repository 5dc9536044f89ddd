import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test } from 'vitest';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const ROWS = 300;
const SLOW = { timeout: 300_000 };

/** Three rows without a valid phone, and the phone of the first row again in the last one. */
const phones = Array.from({ length: ROWS }, (_, index) => {
  if (index % 100 === 50) {
    return `no phone ${index}`;
  }
  return index === ROWS - 1 ? '+44 (20) 7946-0000' : `+44207946${String(index).padStart(4, '0')}`;
});
const LEADS = ROWS - 3 - 1;

const setUp = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-csv-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'leads.csv');
  writeFileSync(
    path,
    `phone,displayName\n${phones.map((phone, index) => `${phone},Row ${index}\n`).join('')}`,
  );

  const mock = createMock({ clock: 'system', latency: 2, rateLimit: 100_000 });
  let afterRequest = (_count: number) => {};
  let requests = 0;
  const server = await serve(mock, {
    onRequest() {
      requests += 1;
      afterRequest(requests);
    },
  });
  onTestFinished(() => server.close());

  return {
    mock,
    path,
    /** Calls back once after so many requests of all runs. */
    after(count: number, run: () => void) {
      afterRequest = (number) => {
        if (number === count) {
          run();
        }
      };
    },
    start(...args: string[]) {
      const child = spawn(process.execPath, ['--conditions=@confab/source', main, path, ...args], {
        env: { CONFAB_BASE_URL: server.url, CONFAB_API_KEY: mock.apiKey },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      return child;
    },
  };
};

const finish = async (child: ChildProcess) => {
  const [output, errors, [code, signal]] = await Promise.all([
    text(child.stdout as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  return { output, errors, code, signal };
};

const failedRowsOf = (path: string): { phone: string; reason: string }[] =>
  parse(readFileSync(path.replace('.csv', '.failed.csv')), { columns: true });

const expectImported = ({ mock, path }: Awaited<ReturnType<typeof setUp>>) => {
  const stored = mock.leads.find().map(({ phone }) => phone);
  expect(stored).toHaveLength(LEADS);
  expect(new Set(stored).size).toBe(LEADS);
  expect(failedRowsOf(path).map(({ phone }) => phone)).toEqual([
    'no phone 50',
    'no phone 150',
    'no phone 250',
  ]);
  expect(failedRowsOf(path)[0]?.reason).toContain('leads.ensure failed with 400');
};

test('imports a file, and a second run finds that every lead exists', SLOW, async () => {
  const files = await setUp();
  const first = await finish(files.start());
  expect(first).toMatchObject({ code: 1 });
  expect(first.errors).toContain('300 of 300 rows | 296 created, 1 existing, 3 failed');
  expect(first.output).toContain('Correct them, and import that file.');
  expectImported(files);

  expect((await finish(files.start())).errors).toContain('0 created, 297 existing, 3 failed');
  expectImported(files);
});

test(
  'Ctrl-C finishes the rows under way; --skip resumes after them, and no row is sent twice',
  SLOW,
  async () => {
    const files = await setUp();
    const child = files.start();
    files.after(100, () => child.kill('SIGINT'));
    const interrupted = await finish(child);
    expect(interrupted).toMatchObject({ code: 130 });
    const [, done = ''] = /run this again with --skip (\d+)\./.exec(interrupted.output) ?? [];
    expect(Number(done)).toBeGreaterThanOrEqual(100);
    expect(files.mock.requests.of('leads.create')).toHaveLength(Number(done));

    expect(await finish(files.start('--skip', done))).toMatchObject({ code: 1 });
    expect(files.mock.requests.of('leads.create')).toHaveLength(ROWS);
    expectImported(files);
  },
);

test('an error that concerns all rows ends the import, and says how to resume it', SLOW, async () => {
  const files = await setUp();
  files.after(100, () => files.mock.faults.always('leads.create', { status: 401, code: 'API_KEY_INVALID' }));
  const ended = await finish(files.start());
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.errors).toContain('leads.ensure failed with 401 API_KEY_INVALID');
  const [, done = ''] = /run this again with --skip (\d+)\./.exec(ended.output) ?? [];

  files.mock.faults.clear();
  expect(await finish(files.start('--skip', done))).toMatchObject({ code: 1 });
  expectImported(files);
});

test.for([
  [
    'a column of another name',
    'phone,name\n',
    'Unknown column "name". The first line must name the columns: phone,',
  ],
  ['no phones', 'email\n', 'There is no column phone.'],
  [
    'another encoding',
    Buffer.from('phone,displayName\n+442079460000,Zo\xeb\n', 'latin1'),
    'It is not UTF-8: see byte 34. Save it as "CSV UTF-8".',
  ],
  ['UTF-16', Buffer.from('\uFEFFphone\n+442079460000\n', 'utf16le'), 'It is not UTF-8: see byte 0.'],
  [
    'a phone that Excel has rounded',
    'phone\n+442079460000\n4.42E+11\n',
    'Row 2 has the phone 4.42E+11, which Excel has rounded. Format the column as text',
  ],
] as const)('a file with %s is refused before anything is sent', SLOW, async ([, content, message]) => {
  const files = await setUp();
  writeFileSync(files.path, content);
  const refused = await finish(files.start());
  expect(refused).toMatchObject({ code: 2, output: '' });
  expect(refused.errors).toContain(`Cannot import ${files.path}: ${message}`);
  expect(files.mock.requests.count()).toBe(0);
});

test('without a key, the sample is imported into a mock', SLOW, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'import-csv-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'sample.csv');
  writeFileSync(path, readFileSync(new URL('../sample.csv', import.meta.url)));
  const child = spawn(process.execPath, ['--conditions=@confab/source', main, path, '--concurrency', '100'], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { errors, code } = await finish(child);
  expect(code).toBe(1);
  expect(errors).toContain('300 of 300 rows | 298 created, 1 existing, 1 failed');
});
