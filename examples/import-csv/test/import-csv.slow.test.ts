import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  return index === ROWS - 1 ? '+44 (0)20 7946-0000' : `+44207946${String(index).padStart(4, '0')}`;
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
    statePath: `${path}.import.json`,
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

const failedRowsOf = (path: string): { line: string; phone: string; reason: string }[] =>
  parse(readFileSync(path.replace('.csv', '.failed.csv')), { columns: true });

const expectImported = ({ mock, path, statePath }: Awaited<ReturnType<typeof setUp>>) => {
  expect(mock.leads.count()).toBe(LEADS);
  const stored = mock.leads.find().map(({ phone }) => phone);
  expect(new Set(stored).size).toBe(LEADS);
  expect(failedRowsOf(path).map(({ line, phone }) => [line, phone])).toEqual([
    ['52', 'no phone 50'],
    ['152', 'no phone 150'],
    ['252', 'no phone 250'],
  ]);
  expect(failedRowsOf(path)[0]?.reason).toContain('leads.create failed with 400');
  expect(existsSync(statePath)).toBe(false);
};

test('imports a file, and a second run finds that every lead exists', SLOW, async () => {
  const files = await setUp();
  const first = await finish(files.start());
  expect(first).toMatchObject({ code: 1, errors: '300 of 300 rows: 296 created, 1 existing, 3 failed\n' });
  expect(first.output).toContain('Imported 300 of 300 rows: 296 created, 1 existing, 3 failed.');
  expectImported(files);

  const second = await finish(files.start());
  expect(second.output).toContain('Imported 300 of 300 rows: 297 existing, 3 failed.');
  expectImported(files);
});

test(
  'Ctrl-C finishes the rows under way; the next run resumes after them and sends no row twice',
  SLOW,
  async () => {
    const files = await setUp();
    const child = files.start();
    files.after(100, () => child.kill('SIGINT'));
    const interrupted = await finish(child);
    expect(interrupted).toMatchObject({ code: 130 });
    expect(interrupted.errors).toContain('Finishing the rows under way. Press Ctrl-C again to end at once.');
    expect(interrupted.output).toContain('Run the same command again to resume.');
    const { progress } = JSON.parse(readFileSync(files.statePath, 'utf8')) as { progress: { done: number } };
    expect(progress.done).toBeGreaterThanOrEqual(100);
    expect(progress.done).toBeLessThan(ROWS);
    // Each row that was sent is done.
    expect(files.mock.requests.of('leads.create')).toHaveLength(progress.done);

    const resumed = await finish(files.start());
    expect(resumed).toMatchObject({ code: 1 });
    expect(resumed.output).toContain('Imported 300 of 300 rows: 296 created, 1 existing, 3 failed.');
    expect(files.mock.requests.of('leads.create')).toHaveLength(ROWS);
    expectImported(files);
  },
);

test('a second Ctrl-C ends at once, and nothing is lost', SLOW, async () => {
  const files = await setUp();
  const child = files.start();
  files.after(100, () => {
    files.mock.faults.always('leads.create', { network: 'hang' });
    child.kill('SIGINT');
  });
  child.stderr?.once('data', () => child.kill('SIGINT'));
  expect(await finish(child)).toMatchObject({ code: 130, output: '' });

  files.mock.faults.clear();
  expect(await finish(files.start())).toMatchObject({ code: 1 });
  expectImported(files);
});

test('a process that is killed loses nothing, whenever that happens', { timeout: 120_000 }, async () => {
  const files = await setUp();
  for (const requests of [40, 130, 260]) {
    const child = files.start();
    files.after(requests, () => child.kill('SIGKILL'));
    expect(await finish(child)).toMatchObject({ signal: 'SIGKILL' });
  }
  expect(await finish(files.start())).toMatchObject({ code: 1 });
  expectImported(files);
});

test('an error that concerns all rows ends the import, which resumes once it is solved', SLOW, async () => {
  const files = await setUp();
  files.after(100, () => files.mock.faults.always('leads.create', { status: 401, code: 'API_KEY_INVALID' }));
  const ended = await finish(files.start());
  expect(ended).toMatchObject({ code: 1 });
  expect(ended.errors).toContain('leads.create failed with 401 API_KEY_INVALID');
  expect(ended.errors).toContain('The import has ended early. Run the same command again to resume.');

  files.mock.faults.clear();
  expect(await finish(files.start())).toMatchObject({ code: 1 });
  expectImported(files);
});

test('a file that has changed is not resumed, unless with --restart', SLOW, async () => {
  const files = await setUp();
  const child = files.start();
  files.after(100, () => child.kill('SIGINT'));
  await finish(child);
  writeFileSync(files.path, readFileSync(files.path, 'utf8').replace('Row 0', 'Row zero'));

  const refused = await finish(files.start());
  expect(refused).toMatchObject({ code: 2, output: '' });
  expect(refused.errors).toMatch(
    /has changed since its import was interrupted after \d+ rows. Run with --restart/,
  );
  expect(await finish(files.start('--restart'))).toMatchObject({ code: 1 });
  expectImported(files);
});

test('mistakes on the command line are explained', SLOW, async () => {
  const files = await setUp();
  const unknown = await finish(files.start('--concurency', '3'));
  expect(unknown).toMatchObject({ code: 2, output: '' });
  expect(unknown.errors).toContain("Unknown option '--concurency'");
  const zero = await finish(files.start('--concurrency', '0'));
  expect(zero).toMatchObject({
    code: 2,
    errors: '`concurrency` must be a whole number of at least 1, got 0.\n',
  });
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
  const { output, code } = await finish(child);
  expect(code).toBe(1);
  expect(output).toContain('Imported 300 of 300 rows: 298 created, 1 existing, 1 failed.');
});
