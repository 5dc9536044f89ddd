import { join } from 'node:path';
import { expect, test } from '@confab/mock/playwright';
import type { Page } from '@playwright/test';

const APP = 'https://app.test/';
const PHONE = '+5511987654321';

const open = async (page: Page): Promise<void> => {
  // This page needs no server. If yours does, start it with `webServer` in the configuration.
  await page.route(`${APP}**`, (route) => {
    const name = new URL(route.request().url()).pathname.slice(1) || 'index.html';
    return route.fulfill({ path: join(import.meta.dirname, '../page', name) });
  });
  await page.goto(APP);
};

const add = async (page: Page, key: string): Promise<void> => {
  await page.getByLabel('API key').fill(key);
  await page.getByLabel('Phone').fill(PHONE);
  await page.getByLabel('Name').fill('Ada');
  await page.getByRole('button', { name: 'Add' }).click();
};

test('the page sends a new lead to the API, and lists it with the others', async ({ page, mock }) => {
  mock.leads.create({ displayName: 'Grace', phone: '+12025550123' });
  await open(page);
  await add(page, mock.apiKey);
  await expect(page.getByRole('listitem')).toHaveText([`Ada, ${PHONE}`, 'Grace, +12025550123']);
  await expect(mock).toHaveReceived('leads.create', { phone: PHONE, displayName: 'Ada' });
});

test('the page reports that the API is down, and a second try adds the lead once', async ({ page, mock }) => {
  mock.faults.once('leads.create', { status: 503 });
  await open(page);
  await add(page, mock.apiKey);
  await expect(page.getByRole('status')).toHaveText(/^Not added: .+ Try again\.$/);
  expect(mock.leads.count()).toBe(0);
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('status')).toHaveText('Added.');
  expect(mock.leads.find()).toMatchObject([{ phone: PHONE }]);
});
