import { existsSync } from 'node:fs';
import type { PlaywrightOptions } from '@confab/mock/playwright';
import { defineConfig } from '@playwright/test';

// Otherwise, Playwright starts the browser that `npx playwright install chromium` downloads.
const executablePath = [process.env.CHROMIUM_PATH ?? '', '/usr/bin/chromium'].find(existsSync);

export default defineConfig<PlaywrightOptions>({
  testDir: 'test',
  testMatch: '*.spec.ts',
  use: {
    // The sandbox of the system's Chromium does not start in containers.
    ...(executablePath && { launchOptions: { executablePath, args: ['--no-sandbox'] } }),
    // The URL that the page calls: the mock responds in its place.
    mockOptions: { baseUrl: 'https://api.example.com' },
  },
});
