import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { KEY, lead } from './support/data.ts';
import { startServer, success } from './support/server.ts';

const binary = fileURLToPath(new URL('../src/cli/confab.ts', import.meta.url));

const SLOW = { timeout: 300_000 };

/** Starts an import of `rows` rows in a process of its own. */
const startImport = async (rows: number, flags: readonly string[] = [], onRow = (_row: number) => {}) => {
  const server = await startServer((arrival, response, request) => {
    onRow(server.arrivals.length);
    return success(lead, 201)(arrival, response, request);
  });
  const folder = mkdtempSync(join(tmpdir(), 'confab-import-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'leads.csv');
  const phones = Array.from({ length: rows }, (_, row) => `+442079${String(row).padStart(6, '0')}`);
  const notes = 'x'.repeat(6_000);
  writeFileSync(path, `phone,notes\n${phones.map((phone) => `${phone},${notes}\n`).join('')}`);
  const args = [...flags, '--conditions=@confab/source', binary, 'leads', 'import', path];
  const child = spawn(process.execPath, args, {
    env: { CONFAB_BASE_URL: server.url, CONFAB_API_KEY: KEY },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { server, child, ended };
};

test('an import of 2,000 rows (12 MB) runs in constant memory', SLOW, async () => {
  const { ended, server } = await startImport(2_000, ['--max-old-space-size=32']);
  const [out, err, [code]] = await ended;
  expect(err).not.toContain('heap out of memory');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ done: 2_000, created: 2_000 });
  expect(server.arrivals).toHaveLength(2_000);
});

test('SIGINT finishes the rows in progress, and a second one ends the command at once', SLOW, async () => {
  const { child, ended, server } = await startImport(1_000, [], (row) => {
    if (row === 100 || row === 101) {
      child.kill('SIGINT');
    }
  });
  const [, err, [code]] = await ended;
  expect(err).toContain('Finishing the rows in progress.');
  expect(code).toBe(130);
  expect(server.arrivals.length).toBeLessThan(1_000);
});
