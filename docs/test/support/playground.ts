import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { toFragment } from '../../playground/share.ts';
import type { Opened } from './browser.ts';
import { withSite } from './browser.ts';

/** Returns the lines that the program has printed. */
export const outputOf = async (page: Page): Promise<string[]> =>
  ((await page.getByRole('log').textContent()) ?? '').split('\n').slice(0, -1);

/** Presses Run, and waits until the run has ended as expected. */
export const run = async (page: Page, ending = 'Finished.'): Promise<void> => {
  await page.getByRole('button', { name: 'Run' }).click();
  await ended(page, ending);
};

/** Waits until a run has ended as expected. */
export const ended = async (page: Page, ending = 'Finished.'): Promise<void> => {
  const status = page.getByRole('region', { name: 'Output', exact: true }).getByRole('status');
  await expect.poll(() => status.textContent(), { timeout: 60_000 }).toMatch(/^(?:Finished|Failed|Stopped)/);
  expect(await status.textContent()).toContain(ending);
};

/** Opens a program as a link does, in a page that has the playground. */
export const load = async (page: Page, program: string): Promise<void> => {
  // This clears the notice about an earlier link.
  await page.getByLabel('Example').selectOption({ index: 0 });
  const fragment = await toFragment(program);
  await page.evaluate((hash) => {
    location.hash = hash;
  }, fragment);
  await page.getByText('This program came with the link.').waitFor();
};

/** Opens the playground once for a file of tests: loading the editor takes seconds. */
export const withPlayground = () => {
  const open = withSite();
  let opened: Opened | undefined;
  beforeAll(async () => {
    opened = await open('playground', {}, 'file ends');
    await opened.page.locator('.view-lines').getByText('createClient').first().waitFor();
  });
  return { open, playground: (): Opened => opened as Opened };
};
