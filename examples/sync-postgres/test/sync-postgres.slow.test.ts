import { join } from 'node:path';
import { createPostgresServer, freePort, runProcess } from '@confab/internal/test-support';
import { test } from 'vitest';

const demo = join(import.meta.dirname, '../src/demo.ts');

// Most of the time, the demo waits for a random moment at which it kills the copy.
test.concurrent.for(['an embedded database', 'a Postgres server'])(
  'a copy in %s equals the service although its process was killed five times',
  { timeout: 600_000 },
  async (kind, { expect, onTestFinished }) => {
    const server = kind === 'a Postgres server' ? await createPostgresServer() : undefined;
    onTestFinished(() => server?.remove());
    const env = { ...process.env, DATABASE_URL: server?.url, PORT: String(await freePort()) };
    const args = ['--conditions=@confab/source', demo, '5'];
    const { code, lines } = await runProcess(process.execPath, args, { env, timeout: 600_000 });
    expect(lines.filter((line) => line === '--- killed ---')).toHaveLength(5);
    expect([lines.at(-1), code]).toEqual(['0 differences', 0]);
  },
);
