import { join } from 'node:path';
import { createPostgresServer, runProcess } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';

const demo = join(import.meta.dirname, '../src/demo.ts');

test.each(['an embedded database', 'a Postgres server'])(
  'a copy in %s equals the service although its process was killed five times',
  { timeout: 300_000 },
  async (kind) => {
    const server = kind === 'a Postgres server' ? await createPostgresServer() : undefined;
    onTestFinished(() => server?.remove());
    const env = { ...process.env, DATABASE_URL: server?.url };
    const args = ['--conditions=@confab/source', demo, '5'];
    const { code, lines } = await runProcess(process.execPath, args, { env, timeout: 300_000 });
    expect(lines.filter((line) => line === '--- killed ---')).toHaveLength(5);
    expect([lines.at(-1), code]).toEqual(['0 differences', 0]);
  },
);
