import { createMock } from '../../src/index.ts';
import { expect, routeMock, test } from '../../src/playwright/index.ts';
import { APP, fetchIn, serveApp } from './app.ts';

// `playwright.slow.test.ts` checks the messages of the tests that must fail.

const REAL = { baseUrl: 'https://api.real.test', apiKey: 'key' };

test.beforeEach(async ({ context, page }) => {
  await serveApp(context);
  await page.goto(APP);
});

test('the fixture for Playwright fails a test because of a path that no operation has', async ({
  page,
  mock,
}) => {
  test.fail();
  expect(await fetchIn(page, mock, 'lead')).toMatchObject({ status: 404 });
});

test('the fixture for Playwright fails a test because of a fault that was never used', async ({ mock }) => {
  test.fail();
  mock.faults.once('leads.list', { status: 503 });
});

test('the fixture for Playwright fails a test because of a page whose context is not routed', async ({
  browser,
  mock,
}) => {
  test.fail();
  const page = await browser.newPage();
  await serveApp(page);
  await page.goto(APP);
  expect(await fetchIn(page, mock, 'leads?secret=1')).toEqual({ error: 'TypeError' });
});

test('the fixture for Playwright fails a test because of a page that calls a different base URL', async ({
  page,
}) => {
  test.fail();
  expect(await fetchIn(page, REAL, 'leads')).toEqual({ error: 'TypeError' });
});

test('a test that has failed already fails with only its own error', async ({ page, mock }) => {
  test.fail();
  mock.faults.once('leads.list', { status: 503 });
  await fetchIn(page, REAL, 'leads');
  throw new Error('the first error');
});

test('a route of the test itself, another mock and other requests do not fail the test', async ({
  browser,
  page,
  mock,
}) => {
  await page.route(`${mock.baseUrl}/api/v2/public/leads`, (route) =>
    route.fulfill({ status: 418, json: {} }),
  );
  expect(await fetchIn(page, mock, 'leads')).toMatchObject({ status: 418 });
  await page.route(`${REAL.baseUrl}/**`, (route) => route.fulfill({ json: {} }));
  expect(await fetchIn(page, REAL, 'leads')).toMatchObject({ status: 200 });

  const second = await browser.newPage();
  const other = createMock({ clock: 'system', baseUrl: 'https://other.test/base' });
  await serveApp(second);
  await routeMock(second, other);
  await second.goto(APP);
  expect(await fetchIn(second, other, 'leads')).toMatchObject({ status: 200 });
});

test.describe('with failOn', () => {
  test.use({ failOn: { unknownRequests: false, unusedFaults: false, unroutedRequests: false } });

  test('with every check of failOn off, the test passes, and requests go where they went before', async ({
    page,
    mock,
  }) => {
    mock.faults.once('leads.list', { status: 503 });
    expect(await fetchIn(page, mock, 'lead')).toMatchObject({ status: 404 });
    const failed = page.waitForEvent('requestfailed');
    expect(await fetchIn(page, REAL, 'leads')).toEqual({ error: 'TypeError' });
    // The browser of these tests resolves no name.
    expect((await failed).failure()?.errorText).toBe('net::ERR_NAME_NOT_RESOLVED');
  });
});
