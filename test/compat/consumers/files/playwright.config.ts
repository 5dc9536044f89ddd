import type { PlaywrightOptions } from '@confab/mock/playwright';
import { defineConfig } from '@playwright/test';

export default defineConfig<PlaywrightOptions>({
  use: {
    mockOptions: { rateLimit: 100 },
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    },
  },
});
