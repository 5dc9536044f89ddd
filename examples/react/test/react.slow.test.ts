import { join } from 'node:path';
import { chromiumPath } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { openBuiltPage } from '../../inbox-browser/test/support/open-built-page.ts';

test.skipIf(chromiumPath === undefined)(
  'a React page lists leads and changes the status of one through setupWorker(...mock.handlers)',
  async () => {
    const { page, problems } = await openBuiltPage(join(import.meta.dirname, '..'));
    const rows = page.getByRole('list', { name: 'Leads' }).getByRole('listitem');
    const show = page.getByRole('combobox', { name: 'Show', exact: true });
    const total = async () => Number.parseInt((await page.getByRole('status').textContent()) ?? '', 10);
    await expect.poll(() => rows.count()).toBe(10);
    const before = await total();

    const name = (await rows.first().locator('span').textContent()) ?? '';
    await rows.first().getByRole('combobox').selectOption('lost');
    await expect.poll(total).toBe(before - 1);

    await show.selectOption('lost');
    const moved = rows.filter({ hasText: name }).getByRole('combobox');
    await expect.poll(() => moved.first().inputValue()).toBe('lost');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(problems).toEqual([]);
  },
);
