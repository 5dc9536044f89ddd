import { test } from 'vitest';
import { probeMock, TELLING } from './support/probing.ts';

test('tmp', async () => {
  const { findings, options, service, mock } = await probeMock({
    data: TELLING,
    rateLimit: { requests: 600, perMs: 60000, headers: 'always' },
  });
  console.log(findings.map((f) => JSON.stringify({ ...f, options: undefined })).join('\n'));
  console.log(JSON.stringify(options, null, 1), service.requests, mock.clock.now());
});
