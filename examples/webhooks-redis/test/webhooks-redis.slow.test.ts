import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { redisServerPath, startRedis } from '../src/start-redis.ts';

const execute = promisify(execFile);
const path = redisServerPath();

test.skipIf(path === undefined)(
  'the example delivers four times to two receivers, and only one of them runs it',
  async () => {
    await using redis = await startRedis(path ?? '');
    const args = ['--conditions=@confab/source', join(import.meta.dirname, '../src/main.ts')];
    const { stdout, stderr } = await execute(process.execPath, args, { env: { REDIS_URL: redis.url } });
    expect(stderr).toBe('');
    expect(stdout.match(/ runs: Hello/g)).toHaveLength(1);
    expect(stdout.match(/: 200 \{"ok":true\}/g)).toHaveLength(4);
  },
);
