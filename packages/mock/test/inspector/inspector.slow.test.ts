import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { chromiumPath } from '../support/browser.ts';
import { openView, violationsOf, withInspector } from '../support/inspector-page.ts';

const VIEWS = ['Conversations', 'Data', 'Requests', 'Deliveries', 'Faults', 'Keys', 'Clock'];

const startReceiver = async (): Promise<string> => {
  const server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
};

const call = (mock: Mock, path: string, body?: unknown) =>
  mock.fetch(`${mock.baseUrl}/api/v2/public/${path}`, {
    headers: { 'x-api-key': mock.apiKey },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });

/** A mock in which every view has something to show. */
const livelyMock = async (): Promise<Mock> => {
  const mock = createMock({ data: 'demo', rateLimit: 20 });
  mock.webhooks.add({ url: await startReceiver(), secret: 'secret' });
  mock.faults.always('*', { delayMs: 1 });
  await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  await call(mock, 'leads');
  await call(mock, 'leads', { phone: '+5511987654399' });
  return mock;
};

describe.skipIf(chromiumPath === undefined)('the inspector in Chromium', () => {
  const open = withInspector();

  test('conversations: one writes as the lead, and sees what the app answers as it comes', async () => {
    const mock = createMock();
    const { page, problems, foreign } = await open(mock);
    await page.getByText('No conversations yet').waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await page.getByLabel('Phone of the lead').fill('+5511987654321');
    await page.getByLabel('Channel').fill('sms');
    await page.getByLabel('Message').fill('Is it free?');
    await page.getByRole('button', { name: 'Send' }).click();

    const bubbles = page.getByRole('log', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => bubbles.allTextContents()).toEqual([expect.stringContaining('Is it free?')]);
    const [conversation] = mock.conversations.find();
    expect(conversation).toMatchObject({ channel: 'sms' });
    await call(mock, `conversations/${conversation?.id}/messages`, { content: 'Yes, it is.' });
    await expect.poll(() => bubbles.last().textContent()).toContain('Yes, it is.');

    await page.getByLabel('Message as').fill('Wonderful');
    await page.getByLabel('Message as').press('Enter');
    await expect.poll(() => bubbles.last().textContent()).toContain('Wonderful');
    await page.getByLabel('Message as').fill('Thanks');
    await page.getByRole('button', { name: 'Send' }).click();
    await expect.poll(() => mock.messages.find().map(({ content }) => content)).toContain('Thanks');
    await page.setViewportSize({ width: 360, height: 700 });
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('link', { name: /\+5511987654321/ }).click();
    await bubbles.first().waitFor();
    expect([problems, foreign]).toEqual([[], []]);
  });

  test('data: rows are searched, created, edited and deleted, and the mock is reset', async () => {
    const mock = createMock({ data: 'demo' });
    const { page, problems } = await open(mock, { path: '#/data' });
    const rows = page.getByRole('table').getByRole('row');
    await expect.poll(() => rows.count()).toBe(51);
    await page.getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => rows.count()).toBe(11);
    await page.getByRole('button', { name: 'Previous' }).click();
    await expect.poll(() => rows.count()).toBe(51);

    await page.getByRole('button', { name: 'New lead' }).click();
    await page.getByLabel('Phone').fill('nonsense');
    await page.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => page.getByRole('dialog').getByRole('alert').textContent()).toContain('E.164');
    await page.getByLabel('Phone').fill('+5511987654321');
    await page.getByLabel('Display name').fill('Ada Lovelace');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('The lead is created.').waitFor();
    const [lead] = mock.leads.find({ displayName: 'Ada Lovelace' });
    expect(lead).toMatchObject({ phone: '+5511987654321', email: null, status: 'new' });

    await page.getByLabel('Search').fill('lovelace');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click();
    await page.getByLabel('Status').fill('qualified');
    await page.getByLabel('Phone').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The lead is saved.').waitFor();
    expect(mock.leads.get(lead?.id ?? '')).toEqual({ ...lead, status: 'qualified', phone: null });

    await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click();
    await page.getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Edit Ada Lovelace' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    expect(mock.leads.find({ displayName: 'Ada Lovelace' })).toHaveLength(1);
    await page.getByRole('button', { name: 'Delete for good?' }).click();
    await page.getByText('No lead contains “lovelace”').waitFor();

    for (const name of ['Pipelines', 'Conversations', 'Messages', 'Agents']) {
      await page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name }).click();
      await page.getByRole('button', { name: `New ${name.slice(0, -1).toLowerCase()}` }).waitFor();
      await rows.nth(1).waitFor();
    }
    mock.leads.create({});
    await page.getByRole('button', { name: 'Reset the mock' }).click();
    await page.getByRole('button', { name: 'Reset everything?' }).click();
    await expect.poll(() => mock.leads.count()).toBe(60);
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([]);
  });

  test('requests: they appear as they come, are filtered, opened and cleared', async () => {
    const mock = createMock();
    const { page, problems } = await open(mock, { path: '#/requests' });
    await page.getByText('No requests yet').waitFor();
    mock.faults.once('leads.list', { status: 503, delayMs: 25 });
    await call(mock, 'leads');
    await call(mock, 'leads', { phone: '+5511987654321', displayName: 'Ada' });
    await call(mock, 'agents');
    const rows = page.getByRole('table').getByRole('row');
    await expect
      .poll(() => rows.allTextContents())
      .toEqual([
        'RequestOperationFaultTookTimeStatus',
        expect.stringMatching(/^Open GET \/agents.*200$/),
        expect.stringMatching(/^Open POST \/leads.*201$/),
        expect.stringMatching(/^Open GET \/leadsleads\.liststatus 503, after 25 ms25 ms.*503$/),
      ]);

    await page.getByLabel('Outcome').selectOption('fault');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Outcome').selectOption('5');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Outcome').selectOption('none');
    await page.getByText('No request matches the filter').waitFor();
    await page.getByLabel('Outcome').selectOption('');
    await page.getByLabel('Operation, path or body').fill('agents.list');
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByLabel('Operation, path or body').fill('987654321');
    await expect.poll(() => rows.count()).toBe(2);

    await page.getByRole('button', { name: /^Open POST/ }).click();
    const dialog = page.getByRole('dialog', { name: 'leads.create' });
    expect(await dialog.getByRole('region', { name: 'Body' }).textContent()).toContain(
      '"displayName": "Ada"',
    );
    expect(await dialog.getByRole('region', { name: 'Response' }).textContent()).toContain('"success": true');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    await page.getByRole('button', { name: 'Clear the log' }).click();
    await page.getByText('No requests yet').waitFor();
    expect(mock.requests.length).toBe(0);
    expect(problems).toEqual([]);
  });

  test('the base URL and the key are shown, and copied by a click', async () => {
    const mock = createMock();
    const { page, server } = await open(mock, { permissions: ['clipboard-read', 'clipboard-write'] });
    for (const [name, text] of [
      ['base URL', server.url],
      ['key', mock.apiKey],
    ] as const) {
      await page.getByText(text, { exact: true }).waitFor();
      await page.getByRole('button', { name: `Copy the ${name}` }).click();
      await page.getByText(`The ${name} is copied.`).waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }
  });

  test('requests: an opened one says why it was refused, and one request is no “requests”', async () => {
    const mock = createMock();
    const { page } = await open(mock, { path: '#/requests' });
    await call(mock, 'leads', { phone: 'nonsense' });
    await page.getByText('1 of 1 request', { exact: true }).waitFor();
    await page.getByRole('button', { name: /^Open POST/ }).click();
    const { error } = mock.requests.all[0] ?? {};
    const dialog = page.getByRole('dialog', { name: 'leads.create' });
    await dialog.getByText(`${error?.code} ${error?.message}`).waitFor();
    expect(await dialog.getByRole('region', { name: 'Response' }).textContent()).toContain(error?.code);
  });

  test('deliveries: an endpoint is added, an event sent, opened, redelivered, and the endpoint removed', async () => {
    const mock = createMock();
    const receiver = await startReceiver();
    const { page, problems } = await open(mock, { path: '#/deliveries' });
    await page.getByText('No deliveries yet').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('URL', { exact: true }).fill(receiver);
    await page.getByLabel('Secret').fill('secret');
    await page.getByLabel('Header', { exact: true }).fill('x-signed');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText('signed in x-signed').waitFor();

    await page.getByRole('button', { name: 'Send an event' }).click();
    await page.getByLabel('Event', { exact: true }).fill('lead.changed');
    await page.getByLabel('Data, as JSON').fill('{');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringContaining('not JSON'));
    await page.getByLabel('Data, as JSON').fill('{"id": 7}');
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    await expect.poll(() => mock.webhooks.deliveries[0]?.state).toBe('delivered');
    await page.getByRole('button', { name: 'Open lead.changed' }).click();
    const [delivery] = mock.webhooks.deliveries;
    const signature = delivery?.attempts[0]?.signature['x-signed'] ?? 'none';
    expect(signature).toMatch(/^[0-9a-f]{64}$/);
    await page.getByText(signature).waitFor();
    await page.getByRole('button', { name: 'Deliver once more' }).click();
    await expect.poll(() => mock.webhooks.deliveries.length).toBe(2);
    await page.getByRole('button', { name: 'Finish all' }).click();
    await page.getByText('Every delivery has ended.').waitFor();
    await page.getByRole('button', { name: `Remove the endpoint ${receiver}` }).click();
    await expect.poll(() => mock.webhooks.endpoints.length).toBe(0);
    expect(problems).toEqual([]);
  });

  test('faults: a double click plans one, by a switch and by the form', async () => {
    const mock = createMock();
    const { page, problems } = await open(mock, { path: '#/faults' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/__mock/faults') && request.method() === 'POST') {
        sent.push(request.postData() ?? '');
      }
    });
    const clickTwice = (button: unknown) => {
      (button as { click(): void }).click();
      (button as { click(): void }).click();
    };
    const error = page.getByRole('switch', { name: /^Server error/ });
    await error.evaluate(clickTwice);
    await expect.poll(() => error.getAttribute('aria-checked')).toBe('true');
    expect(sent).toHaveLength(1);
    await error.click();
    await expect.poll(() => error.getAttribute('aria-checked')).toBe('false');

    await page.getByRole('button', { name: 'Plan a fault' }).click();
    await page.getByRole('button', { name: 'Plan it' }).evaluate(clickTwice);
    await page.getByText('The fault is planned.').waitFor();
    expect([sent.length, mock.faults.planned.length, problems]).toEqual([2, 1, []]);
  });

  test('faults: they are switched on and off, planned for one operation, and removed', async () => {
    const mock = createMock();
    const { page, problems } = await open(mock, { path: '#/faults' });
    const error = page.getByRole('switch', { name: /^Server error/ });
    await error.click();
    await expect.poll(() => error.getAttribute('aria-checked')).toBe('true');
    expect(mock.faults.planned).toMatchObject([{ operation: '*', once: false, fault: { status: 500 } }]);
    expect((await call(mock, 'agents')).status).toBe(500);
    await error.click();
    await expect.poll(() => error.getAttribute('aria-checked')).toBe('false');
    expect(mock.faults.planned).toEqual([]);
    for (const name of ['Unavailable', 'Rate limit', 'Slow', 'Broken', 'Lost', 'Silence', 'Flaky']) {
      await page.getByRole('switch', { name: new RegExp(`^${name}`) }).click();
      await expect
        .poll(() => page.locator('[aria-checked=true]').allTextContents())
        .toContainEqual(expect.stringContaining(name));
    }
    await page.getByRole('button', { name: 'Remove all' }).click();
    await page.getByText('Nothing goes wrong').waitFor();

    await page.getByRole('button', { name: 'Plan a fault' }).click();
    await page.getByLabel('Operation').selectOption('leads.create');
    await page.getByLabel('What happens').selectOption('truncate');
    await page.getByLabel('How often').selectOption('always');
    await page.getByRole('button', { name: 'Plan it' }).click();
    await page.getByText('cut response, always').waitFor();
    expect(mock.faults.planned).toMatchObject([
      { operation: 'leads.create', fault: { network: 'truncate' } },
    ]);
    await page.getByRole('button', { name: 'Remove the fault of leads.create' }).click();
    await expect.poll(() => mock.faults.planned).toEqual([]);
    expect(problems).toEqual([]);
  });

  test('keys: windows fill up, and keys are created with scopes and revoked', async () => {
    const mock = createMock({ rateLimit: 5 });
    const { page, problems } = await open(mock, { path: '#/keys' });
    const meter = page.getByRole('meter').first();
    await expect.poll(() => meter.evaluate((element) => (element as HTMLMeterElement).value)).toBe(0);
    await call(mock, 'agents');
    await call(mock, 'agents');
    await page.getByText('2 of 5 requests per minute').waitFor();
    expect(await meter.evaluate((element) => (element as HTMLMeterElement).value)).toBe(2);
    await mock.clock.advance(60_000);
    await page.getByText('0 of 5 requests per minute').waitFor();

    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('write:leads').uncheck();
    await page.getByRole('spinbutton', { name: 'Requests per minute' }).fill('3');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Close' }).click();
    const status = async (init?: RequestInit) =>
      (await mock.fetch(`${mock.baseUrl}/api/v2/public/leads`, { headers: { 'x-api-key': key }, ...init }))
        .status;
    expect([await status(), await status({ method: 'POST', body: '{}' })]).toEqual([200, 403]);
    await page.getByText('of 3 requests per minute').waitFor();
    await page.getByRole('button', { name: 'Revoke' }).last().click();
    await page.getByRole('button', { name: 'Revoke for good?' }).click();
    await expect.poll(() => mock.keys.list().length).toBe(1);
    expect(await status()).toBe(401);
    expect(problems).toEqual([]);
  });

  test('clock: it is advanced and set, and says why it can not be set back', async () => {
    const mock = createMock();
    const began = mock.clock.now();
    const { page } = await open(mock, { path: '#/clock' });
    for (const [name, ms] of [
      ['+ 1 minute', 60_000],
      ['+ 1 hour', 3_660_000],
      ['+ 1 day', 90_060_000],
    ] as const) {
      await page.getByRole('button', { name }).click();
      await expect.poll(() => mock.clock.now() - began).toBe(ms);
    }
    await page.getByLabel('By').fill('2');
    await page.getByLabel('Unit').selectOption('seconds');
    await page.getByRole('button', { name: 'Advance' }).click();
    await expect.poll(() => mock.clock.now() - began).toBe(90_062_000);
    // A clock that moves meanwhile leaves alone what one has selected to write over.
    await page.getByLabel('To').selectText();
    await mock.clock.advance(1000);
    await page.locator('.clock-face').getByText('01:01:03').waitFor();
    await page.keyboard.insertText('2030-05-06 07:08:09');
    await page.getByRole('button', { name: 'Set' }).click();
    await expect.poll(() => mock.clock.now()).toBe(Date.UTC(2030, 4, 6, 7, 8, 9));
    await page.locator('.clock-face').getByText('2030-05-06 07:08:09').waitFor();
    await page.getByLabel('To').fill('2029-01-01 00:00:00');
    // A clock that moves meanwhile takes nothing away from what is being typed.
    await mock.clock.advance(1000);
    await page.locator('.clock-face').getByText('2030-05-06 07:08:10').waitFor();
    expect(await page.getByLabel('To').inputValue()).toBe('2029-01-01 00:00:00');
    await page.getByRole('button', { name: 'Set' }).click();
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringContaining('forward'));
  });

  test('with an admin token, the page asks for it, refuses a wrong one, and takes one from the address', async () => {
    const mock = createMock({ data: 'demo' });
    const { page, server } = await open(mock, { serve: { adminToken: 'hush' } });
    await page.getByLabel('Admin token').fill('wrong');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringContaining('not the admin token'));
    await page.getByLabel('Admin token').fill('hush');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();

    const other = await page.context().browser()?.newPage();
    await other?.goto(`${server.url}/__mock/#token=hush`);
    await other?.getByText('Live', { exact: true }).waitFor();
    expect(other?.url()).not.toContain('hush');
    await other?.close();
  });

  test('what strangers write is text, whatever it contains', async () => {
    const mock = createMock({ data: 'demo' });
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    mock.leads.create({ displayName: evil, notes: evil });
    const { conversation } = await mock.inbound({ phone: '+5511987654321', body: evil });
    mock.leads.update(conversation.leadId ?? '', { displayName: evil });
    await call(mock, `leads?search=${encodeURIComponent(evil)}`, { displayName: evil });
    const { page, problems } = await open(mock, { path: `#/conversations/${conversation.id}` });
    await page.getByRole('log').getByText(evil).waitFor();
    await openView(page, 'Data');
    await page
      .getByRole('button', { name: `Edit ${evil}` })
      .first()
      .click();
    expect(await page.getByLabel('Display name').inputValue()).toBe(evil);
    await page.getByRole('button', { name: 'Close' }).click();
    await openView(page, 'Requests');
    await page.getByRole('button', { name: /^Open POST/ }).click();
    await page.getByRole('region', { name: 'Body' }).getByText('onerror').waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect([await page.title(), problems]).toEqual(['confab mock', []]);
  });

  test('the page says when the connection is lost', async () => {
    const mock = createMock();
    const { page, server } = await open(mock);
    await page.getByText('Live', { exact: true }).waitFor();
    await server.close();
    await page.getByText('Connection lost, trying again…').waitFor();
  });

  test.each(['light', 'dark'] as const)(
    'axe finds nothing in any view, in the %s scheme',
    async (colorScheme) => {
      const { page } = await open(await livelyMock(), { colorScheme });
      await page.getByText('Live', { exact: true }).waitFor();
      for (const view of VIEWS) {
        await openView(page, view);
        expect([view, await violationsOf(page)]).toEqual([view, []]);
      }
      for (const [view, button] of [
        ['Conversations', 'New conversation'],
        ['Data', 'New lead'],
        ['Requests', /^Open POST/],
        ['Deliveries', /^Open message\.created/],
        ['Faults', 'Plan a fault'],
        ['Keys', 'Create a key'],
      ] as const) {
        await openView(page, view);
        await page.getByRole('button', { name: button }).first().click();
        await page.getByRole('dialog').waitFor();
        expect([view, await violationsOf(page)]).toEqual([view, []]);
        await page.keyboard.press('Escape');
      }
      await openView(page, 'Conversations');
      await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click();
      await page.getByRole('log').waitFor();
      expect(await violationsOf(page)).toEqual([]);
    },
    // axe examines thirteen pages.
    120_000,
  );

  test.each([360, 768, 1_280])('nothing scrolls sideways at a width of %i', async (width) => {
    const mock = await livelyMock();
    mock.leads.create({ displayName: 'W'.repeat(300) });
    await mock.inbound({ phone: '+5511987654322', body: 'W'.repeat(300) });
    await call(mock, `leads?search=${'W'.repeat(300)}`);
    const { page } = await open(mock, { viewport: { width, height: 700 } });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    for (const view of VIEWS) {
      await openView(page, view);
      expect([view, await overflow()]).toEqual([view, 0]);
    }
    await openView(page, 'Conversations');
    await page.getByRole('link', { name: /\+5511987654322/ }).click();
    await page.getByRole('log').getByText('WWW').waitFor();
    expect(await overflow()).toBe(0);
    const log = page.getByRole('log');
    expect(await log.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  });

  test('everything can be reached by keyboard: the content is one key away, and rows open with Enter', async () => {
    const { page } = await open(await livelyMock(), { path: '#/requests' });
    await page.getByRole('button', { name: /^Open POST/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    const row = page.getByRole('button', { name: /^Open POST/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
