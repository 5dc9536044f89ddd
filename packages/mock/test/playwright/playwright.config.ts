import { defineConfig } from '@playwright/test';
import type { PlaywrightOptions } from '../../src/playwright/index.ts';
import { chromiumPath } from '../support/browser.ts';

/** Run by `playwright.slow.test.ts`, which says where results go. */
export default defineConfig<PlaywrightOptions>({
  testMatch: '*.spec.ts',
  workers: 1,
  use: {
    browserName: 'chromium',
    launchOptions: {
      executablePath: chromiumPath ?? '',
      // Chromium's own sandbox does not start in containers, and nothing may leave this machine.
      args: ['--no-sandbox', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
    },
    mockOptions: { rateLimit: { requests: 100, perMs: 60_000, headers: 'always' } },
  },
});
