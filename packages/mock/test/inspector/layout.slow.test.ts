import { describe, expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { chromiumPath } from '../support/browser.ts';
import { withInspector } from '../support/inspector-page.ts';

describe.skipIf(chromiumPath === undefined)('the layout of the inspector in Chromium', () => {
  const open = withInspector();

  test('on a phone, an open conversation fits on the screen, down to the field to write in', async () => {
    const mock = createMock();
    const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
    const { page } = await open(mock, {
      path: `#/conversations/${conversation.id}`,
      viewport: { width: 360, height: 700 },
    });
    const field = page.getByLabel('Message as');
    await field.waitFor();
    const box = await field.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(700);
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('button', { name: 'New conversation' }).waitFor();
  });

  test('on a desktop, the longest operation is shown whole', async () => {
    const mock = createMock();
    const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
    await mock.fetch(`${mock.baseUrl}/api/v2/public/conversations/${conversation.id}/messages`, {
      method: 'POST',
      headers: { 'x-api-key': mock.apiKey },
      body: '{"content":"Hi"}',
    });
    const { page } = await open(mock, { path: '#/requests', viewport: { width: 1_280, height: 700 } });
    const cell = page.getByRole('cell', { name: 'conversations.sendMessage' });
    await cell.waitFor();
    expect(await cell.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });
});
