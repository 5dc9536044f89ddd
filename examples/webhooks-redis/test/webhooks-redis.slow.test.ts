import { join } from 'node:path';
import { runProcess, startRedisServer } from '@confab/internal/test-support';
import { expect, test } from 'vitest';

test('the example delivers one event four times to two receivers, and only one handler runs once', async () => {
  const { url } = await startRedisServer();
  const args = ['--conditions=@confab/source', join(import.meta.dirname, '../src/main.ts')];
  const { lines, errors } = await runProcess(process.execPath, args, { env: { REDIS_URL: url } });
  expect(errors).toBe('');
  expect(lines.filter((line) => line.endsWith(' runs: Hello'))).toHaveLength(1);
  expect(lines.filter((line) => line.endsWith(': 200 {"ok":true}'))).toHaveLength(4);
});
