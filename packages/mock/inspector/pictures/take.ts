/**
 * Takes the pictures of the guide: `pnpm --filter @confab/mock run pictures`. With a folder as an argument, takes every view
 * in both schemes and three widths instead, to look at them.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { createScene } from './scene.ts';

const VIEWS = ['conversations', 'data', 'requests', 'deliveries', 'faults', 'keys', 'clock'];

interface Shot {
  readonly name: string;
  readonly path: string;
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

const { mock, conversation } = await createScene();
const { url } = await mock.inspect();

const take = async (
  browser: Browser,
  folder: string,
  { name, path, width, colorScheme }: Shot,
): Promise<void> => {
  const page = await browser.newPage({ viewport: { width, height: 700 }, colorScheme });
  await page.goto(`${url}#/${path}`);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.waitForFunction(() => document.querySelector('.loading') === null);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
};

const pathOf = (view: string): string => (view === 'conversations' ? `conversations/${conversation}` : view);

const forGuide: readonly Shot[] = ['conversations', 'requests', 'deliveries', 'faults'].map((view) => ({
  name: `inspector-${view}`,
  path: pathOf(view),
  width: 1_000,
  colorScheme: 'light',
}));

const forReview: readonly Shot[] = VIEWS.flatMap((view) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [390, 768, 1_440].map((width) => ({
      name: `${view}-${colorScheme}-${width}`,
      path: pathOf(view),
      width,
      colorScheme,
    })),
  ),
);

const [, , folder] = process.argv;
const target = folder ?? join(import.meta.dirname, '../../../../docs/guides/pictures');
mkdirSync(target, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
});
try {
  for (const shot of folder === undefined ? forGuide : forReview) {
    await take(browser, target, shot);
  }
} finally {
  await browser.close();
  await mock.close();
}
