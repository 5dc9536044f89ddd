import { join } from 'node:path';
import { chromiumPath } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { openBuiltPage } from './support/open-built-page.ts';

test.skipIf(chromiumPath === undefined)(
  'the inbox lists, shows, sends and receives messages through setupWorker(...mock.handlers)',
  async () => {
    const { page, problems } = await openBuiltPage(join(import.meta.dirname, '..'));
    const conversations = page.getByRole('list', { name: 'Conversations' }).getByRole('button');
    const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => conversations.count()).toBe(10);

    await conversations.nth(1).click();
    await expect.poll(() => messages.count()).toBeGreaterThan(0);
    const before = await messages.count();

    await page.getByRole('textbox', { name: 'Reply' }).fill('On our way!');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => messages.count()).toBe(before + 1);
    expect(await messages.last().textContent()).toBe('On our way!');
    expect(await messages.last().getAttribute('class')).toBe('outbound');

    await page.getByRole('button', { name: 'A lead writes' }).click();
    await expect.poll(() => messages.count()).toBe(before + 2);
    expect(await messages.last().textContent()).toBe('Hello, is anybody there?');
    expect(await messages.last().getAttribute('class')).toBe('inbound');
    expect(problems).toEqual([]);
  },
);
