/**
 * Takes the pictures of the guide: `pnpm --filter @confab/mock run pictures`. With a folder as an argument, takes every view
 * in both schemes and three widths instead, to look at them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { createScene } from './scene.ts';

const VIEWS = ['conversations', 'data', 'requests', 'deliveries', 'faults', 'keys', 'clock'];

await using mock = await createScene();
const { url } = await mock.inspect();

const [, , folder] = process.argv;
const target = folder ?? join(import.meta.dirname, '../../../../docs/guides/pictures');
mkdirSync(target, { recursive: true });
await using browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
});

const take = async (view: string, width: number, colorScheme: 'light' | 'dark', name: string) => {
  const page = await browser.newPage({ viewport: { width, height: 700 }, colorScheme });
  await page.goto(`${url}#/${view}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelector('.loading') === null);
  await page.screenshot({ path: join(target, `${name}.png`) });
  await page.close();
};

if (folder === undefined) {
  for (const view of ['conversations', 'requests', 'deliveries', 'faults']) {
    await take(view, 1_000, 'light', `inspector-${view}`);
  }
} else {
  for (const view of VIEWS) {
    for (const width of [390, 768, 1_440]) {
      await take(view, width, 'light', `${view}-${width}-light`);
      await take(view, width, 'dark', `${view}-${width}-dark`);
    }
  }
}
