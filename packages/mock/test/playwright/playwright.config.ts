import { defineConfig } from '@playwright/test';
import type { PlaywrightOptions } from '../../src/playwright/index.ts';
import { chromiumPath } from '../support/browser.ts';

/** Run by `playwright.slow.test.ts`, which says where results go. */
export default defineConfig<PlaywrightOptions>({
  testMatch: '*.spec.ts',
  workers: 1,
  use: {
    browserName: 'chromium',
    // Chromium's own sandbox does not start in containers.
    launchOptions: { executablePath: chromiumPath ?? '', args: ['--no-sandbox'] },
    mockOptions: { rateLimit: { requests: 100, perMs: 60_000, headers: 'always' } },
  },
});
