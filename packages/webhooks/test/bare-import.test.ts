import { expect, test, vi } from 'vitest';

test('the package can be imported where nothing of the web platform is, as under Jest’s jsdom', async () => {
  for (const name of ['TextDecoder', 'TextEncoder', 'fetch', 'Request', 'Response', 'Headers']) {
    vi.stubGlobal(name, undefined);
  }
  vi.resetModules();
  const { createWebhooks } = await import('../src/index.ts');
  vi.unstubAllGlobals();
  const webhooks = createWebhooks({ secret: 'whsec_0123456789', signature: { header: 'x-signature' } });
  expect((await webhooks.fetch(new Request('http://receiver.test/'))).status).toBe(405);
});
