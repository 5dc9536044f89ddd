import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { folder, runWith, startQuietCommand } from '../support/command.ts';
import { DISTINCTIVE_DATA } from '../support/probing.ts';
import { start } from '../support/serving.ts';

test('confab-mock probe writes a file that confab-mock --config loads', async () => {
  const options: MockOptions = {
    data: DISTINCTIVE_DATA,
    clock: 'system',
    // Its tenth leaves nothing to wait for.
    rateLimit: { requests: 600_000, perMs: 60_000, headers: 'always' },
    behavior: { codes: { 'leads.get': { 404: 'LEAD_NOT_FOUND' } } },
  };
  const { mock, server } = await start({}, options);
  const output = join(folder(), 'confab.mock.json');
  const env = { CONFAB_API_KEY: mock.apiKey, CONFAB_BASE_URL: server.url };

  const probed = await runWith(env, 'probe', '--output', output).ended;
  expect(probed).toMatchObject({ code: 0, errors: '' });
  expect(probed.output).toContain(`Wrote ${output}`);
  const { call } = await startQuietCommand('--config', output);
  const missing = await call('/api/v2/public/leads/99999999-9999-4999-8999-999999999999');
  expect(missing.body).toMatchObject({ code: 'LEAD_NOT_FOUND' });
  expect(missing.headers.get('x-ratelimit-limit')).toBe('600000');

  const keyless = runWith({ ...env, CONFAB_API_KEY: undefined }, 'probe');
  const noKey = 'confab-mock: CONFAB_API_KEY is not set. It must be the key of the service\n';
  expect(await keyless.ended).toMatchObject({ code: 2, errors: noKey });
  const homeless = runWith({ ...env, CONFAB_BASE_URL: undefined }, 'probe');
  const noUrl = 'confab-mock: No base URL. Pass --base-url, or set CONFAB_BASE_URL\n';
  expect(await homeless.ended).toMatchObject({ code: 2, errors: noUrl });
});
