import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { folder, run } from '../../support/command.ts';
import { KEY } from '../../support/forwarding.ts';
import { startRealService } from '../../support/real-service.ts';

test.each(['SIGINT', 'SIGKILL'] as const)(
  'a proxy that ends by %s leaves a complete recording',
  async (signal) => {
    const { url } = await startRealService();
    const file = join(folder(), 'rows.json');
    const { child, printed, output, ended } = run(
      ...['--port', '0', '--quiet', '--forward', url, '--record', file],
    );
    await printed(/^http.*\n/);
    const response = await fetch(`${output().trim()}/api/v2/public/leads`, { headers: { 'x-api-key': KEY } });
    expect(response.status).toBe(200);
    const recorded = () => (JSON.parse(readFileSync(file, 'utf8')) as { leads: unknown[] }).leads.length;
    if (signal === 'SIGKILL') {
      await eventually(() => expect(recorded()).toBe(2));
    }
    child.kill(signal);
    const { code, errors } = await ended;
    expect(recorded()).toBe(2);
    if (signal !== 'SIGKILL') {
      expect([code, errors]).toEqual([
        0,
        expect.stringContaining('confab-mock: 1 request passed on, no drift'),
      ]);
    }
  },
);
