import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createPostgresServer } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';

const demo = join(import.meta.dirname, '../src/demo.ts');

test.each(['an embedded database', 'a Postgres server'])(
  'a copy in %s equals the service after it was killed again and again',
  { timeout: 300_000 },
  async (kind) => {
    const server = kind === 'a Postgres server' ? await createPostgresServer() : undefined;
    onTestFinished(() => server?.remove());
    const env = { ...process.env, DATABASE_URL: server?.url };
    const args = ['--conditions=@confab/source', demo, '5'];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout.split('--- killed ---')).toHaveLength(6);
    expect(stdout.trim().split('\n').at(-1)).toBe('0 differences');
  },
);
