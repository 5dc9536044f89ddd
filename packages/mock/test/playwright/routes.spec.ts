import { expect, test } from '../../src/playwright/index.ts';
import { hold } from '../support/hold.ts';
import { APP, fetchIn, serveApp } from './app.ts';

const PHONE = '+5511987654321';
const LEAD = { method: 'POST', body: { phone: PHONE, displayName: 'Zoë' } };

test.beforeEach(async ({ context, page }) => {
  await serveApp(context);
  await page.goto(APP);
});

test('a page of another origin calls the mock, and reads its headers', async ({ page, mock }) => {
  const created = await fetchIn(page, mock, 'leads', LEAD);
  expect(created).toMatchObject({ status: 201, body: { success: true, data: LEAD.body }, remaining: '99' });
  expect(mock.leads.find()).toMatchObject([LEAD.body]);
  await expect(mock).toHaveReceived('leads.create', LEAD.body);
});

test('requests with credentials, PATCH and HEAD arrive as well', async ({ page, mock }) => {
  const { id } = mock.leads.create({ phone: PHONE });
  const change = { method: 'PATCH', body: { status: 'active' }, credentials: 'include' } as const;
  expect(await fetchIn(page, mock, `leads/${id}`, change)).toMatchObject({ status: 200 });
  expect(mock.leads.get(id)?.status).toBe('active');
  expect(await fetchIn(page, mock, 'agents', { method: 'HEAD' })).toMatchObject({ status: 200 });
});

test('a page sees a lost connection, and a write with a truncated response has happened', async ({
  page,
  mock,
}) => {
  mock.faults.once('agents.list', { network: 'error' });
  expect(await fetchIn(page, mock, 'agents')).toEqual({ error: 'TypeError' });
  mock.faults.once('leads.create', { network: 'truncate' });
  expect(await fetchIn(page, mock, 'leads', LEAD)).toEqual({ error: 'TypeError' });
  expect(mock.leads.count()).toBe(1);
});

test('a request that the page aborts also ends in the mock, and changes nothing', async ({ page, mock }) => {
  const { arrived, release } = hold(mock, 'leads.create');
  const call = fetchIn(page, mock, 'leads', LEAD);
  await arrived;
  const failed = page.waitForEvent('requestfailed');
  await page.evaluate(() => dispatchEvent(new Event('abort-requests')));
  expect(await call).toEqual({ error: 'AbortError' });
  await failed;
  release(undefined);
  expect(await fetchIn(page, mock, 'leads')).toMatchObject({ status: 200, body: { data: [] } });
});

test('a page may close while a request is in progress', async ({ context, page, mock }) => {
  const { arrived, release } = hold(mock, 'agents.list');
  const other = await context.newPage();
  await other.goto(APP);
  const call = fetchIn(other, mock, 'agents').catch(() => 'closed');
  await arrived;
  await other.close();
  release(undefined);
  expect(await call).toBe('closed');
  expect(await fetchIn(page, mock, 'agents')).toMatchObject({ status: 200 });
});

test('a popup calls the mock as well, from its first request on', async ({ page, mock }) => {
  const opened = page.waitForEvent('popup');
  await page.evaluate((url) => void window.open(url), APP);
  expect(await fetchIn(await opened, mock, 'agents')).toMatchObject({ status: 200 });
});

test.describe('with an agent whose replies break the contract', () => {
  test.use({ mockOptions: { agents: { respond: () => ({ text: 'Hi', tokensIn: 0.5 }) } } });

  test('a page gets a 500 that describes how a reply of an agent breaks the contract', async ({
    page,
    mock,
  }) => {
    const [agent] = mock.agents.find();
    const invocation = { method: 'POST', body: { userMessage: 'Hello' } };
    expect(await fetchIn(page, mock, `agents/${agent!.id}/invoke`, invocation)).toMatchObject({
      status: 500,
      body: { error: expect.stringContaining('breaks the contract') },
    });
  });
});

test.describe('with mockOptions', () => {
  test.use({ mockOptions: { rateLimit: 1, baseUrl: `${APP}/api` } });

  test('the mock has the overridden options, even on the origin of the page', async ({ page, mock }) => {
    expect(await fetchIn(page, mock, 'agents')).toMatchObject({ status: 200 });
    expect(await fetchIn(page, mock, 'agents')).toMatchObject({ status: 429, retryAfter: '60' });
  });
});
