import { listen } from '@confab/internal/test-support';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import { chromiumPath } from '../support/browser.ts';
import { openView, violationsOf, withInspector } from '../support/inspector-page.ts';

const PHONE = '+5511987654321';
const VIEWS = ['Conversations', 'Data', 'Requests', 'Deliveries', 'Faults', 'Keys', 'Clock'];

const SCHEMES = ['light', 'dark'] as const;

const startReceiver = () => listen((_, outgoing) => void outgoing.end());

const call = (mock: Mock, path: string, body?: unknown, key = mock.apiKey) =>
  mock.fetch(`${mock.baseUrl}/api/v2/public/${path}`, {
    headers: { 'x-api-key': key },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });

/** What a person does on a page. */
const personAt = (page: Page) => ({
  press: async (...names: (string | RegExp)[]) => {
    for (const name of names) {
      await page
        .getByRole('button', { name, exact: typeof name === 'string' })
        .first()
        .click();
    }
  },
  fill: async (texts: Readonly<Record<string, string>>) => {
    for (const [label, text] of Object.entries(texts)) {
      await page.getByLabel(label, { exact: true }).fill(text);
    }
  },
  choose: async (choices: Readonly<Record<string, string>>) => {
    for (const [label, option] of Object.entries(choices)) {
      await page.getByLabel(label).selectOption(option);
    }
  },
  see: (text: string) => page.getByText(text).waitFor(),
  alerted: (text: string) =>
    expect
      .poll(() => page.getByRole('alert').allTextContents())
      .toContainEqual(expect.stringContaining(text)),
  rows: (count: number) => expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(count),
});

/** A mock in which every view has something to show. */
const livelyMock = async (): Promise<Mock> => {
  const mock = createMock({ data: 'demo', rateLimit: 20 });
  mock.webhooks.add({ url: await startReceiver(), secret: 'secret' });
  mock.faults.always('*', { delayMs: 1 });
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await mock.webhooks.flush();
  await call(mock, 'leads');
  await call(mock, 'leads', { phone: '+5511987654399' });
  return mock;
};

describe.skipIf(chromiumPath === undefined)('the inspector in Chromium', () => {
  const openPage = withInspector();
  const open = async (...args: Parameters<typeof openPage>) => {
    const opened = await openPage(...args);
    return { ...opened, ...personAt(opened.page) };
  };

  test('conversations: one writes as the lead, and sees what the app answers as it comes', async () => {
    const mock = createMock();
    const { page, problems, foreign, press, fill, see } = await open(mock);
    await see('No conversations yet');
    await press('New conversation');
    await fill({ 'Phone of the lead': PHONE, Channel: 'sms', Message: 'Is it free?' });
    await press('Send');

    const bubbles = page.getByRole('log', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => bubbles.allTextContents()).toEqual([expect.stringContaining('Is it free?')]);
    const [conversation] = mock.conversations.find();
    expect(conversation).toMatchObject({ channel: 'sms' });
    await call(mock, `conversations/${conversation?.id}/messages`, { content: 'Yes, it is.' });
    await expect.poll(() => bubbles.last().textContent()).toContain('Yes, it is.');

    await page.getByLabel('Message as').fill('Wonderful');
    await page.getByLabel('Message as').press('Enter');
    await expect.poll(() => bubbles.last().textContent()).toContain('Wonderful');
    await page.setViewportSize({ width: 360, height: 700 });
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('link', { name: new RegExp(`\\${PHONE}`) }).click();
    await bubbles.first().waitFor();
    expect([problems, foreign]).toEqual([[], []]);
  });

  test('data: rows are searched, created, edited and deleted, and the mock is reset', async () => {
    const mock = createMock({ data: 'demo' });
    const { page, press, fill, see, alerted, rows } = await open(mock, { path: '#/data' });
    await rows(51);
    await press('Next');
    await rows(11);
    await press('Previous');
    await rows(51);

    await press('New lead');
    await fill({ Phone: 'nonsense' });
    await press('Create');
    await alerted('E.164');
    await fill({ Phone: PHONE, 'Display name': 'Ada Lovelace' });
    await press('Create');
    await see('The lead is created.');
    const [lead] = mock.leads.find({ displayName: 'Ada Lovelace' });
    expect(lead).toMatchObject({ phone: PHONE, email: null, status: 'new' });

    await page.getByLabel('Search').fill('lovelace');
    await rows(2);
    await press('Edit Ada Lovelace');
    await fill({ Status: 'qualified', Phone: '' });
    await press('Save');
    await see('The lead is saved.');
    expect(mock.leads.get(lead?.id ?? '')).toEqual({ ...lead, status: 'qualified', phone: null });
    await press('Edit Ada Lovelace', 'Delete');
    expect(mock.leads.find({ displayName: 'Ada Lovelace' })).toHaveLength(1);
    await press('Delete for good?');
    await see('No lead contains “lovelace”');

    for (const name of ['Pipelines', 'Conversations', 'Messages', 'Agents']) {
      await page.getByRole('navigation', { name: 'Collections' }).getByRole('link', { name }).click();
      await page.getByRole('button', { name: `New ${name.slice(0, -1).toLowerCase()}` }).waitFor();
    }
    mock.leads.create({});
    await press('Reset the mock', 'Reset everything?');
    await expect.poll(() => mock.leads.count()).toBe(60);
  });

  test('requests: they appear as they come, are filtered, opened and cleared', async () => {
    const mock = createMock();
    const { page, problems, press, choose, see, rows } = await open(mock, { path: '#/requests' });
    await see('No requests yet');
    await call(mock, 'leads', { phone: 'nonsense' });
    await page.getByText('1 of 1 request', { exact: true }).waitFor();
    mock.faults.once('leads.list', { status: 503, delayMs: 25 });
    await call(mock, 'leads');
    await call(mock, 'leads', { phone: PHONE, displayName: 'Ada' });
    await rows(4);
    expect(await page.getByRole('table').getByRole('row').allTextContents()).toEqual([
      'RequestOperationFaultTookTimeStatus',
      expect.stringMatching(/^Open POST \/leads.*201$/),
      expect.stringMatching(/^Open GET \/leadsleads\.liststatus 503, after 25 ms25 ms.*503$/),
      expect.stringMatching(/^Open POST \/leads.*400$/),
    ]);

    for (const outcome of ['fault', '5']) {
      await choose({ Outcome: outcome });
      await rows(2);
    }
    await choose({ Outcome: 'none' });
    await see('No request matches the filter');
    await choose({ Outcome: '' });
    for (const text of ['leads.list', '987654321']) {
      await page.getByLabel('Operation, path or body').fill(text);
      await rows(2);
    }
    const dialog = page.getByRole('dialog', { name: 'leads.create' });
    const region = (name: string) => dialog.getByRole('region', { name }).textContent();
    await press(/^Open POST/);
    expect(await region('Body')).toContain('"displayName": "Ada"');
    expect(await region('Response')).toContain('"success": true');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    // An opened one says why it was refused.
    await page.getByLabel('Operation, path or body').fill('nonsense');
    await rows(2);
    await press(/^Open POST/);
    const { error } = mock.requests.all[0] ?? {};
    await dialog.getByText(`${error?.code} ${error?.message}`).waitFor();
    expect(await region('Response')).toContain(error?.code);
    await page.keyboard.press('Escape');
    await press('Clear the log');
    await see('No requests yet');
    expect([mock.requests.length, problems]).toEqual([0, []]);
  });

  test('the base URL and the key are shown, and copied by a click; a lost connection is told', async () => {
    const mock = createMock();
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, server, press, see } = await open(mock, { permissions });
    for (const [name, text] of [
      ['base URL', server.url],
      ['key', mock.apiKey],
    ] as const) {
      await page.getByText(text, { exact: true }).waitFor();
      await press(`Copy the ${name}`);
      await see(`The ${name} is copied.`);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }
    await page.getByText('Live', { exact: true }).waitFor();
    await server.close();
    await see('Connection lost, trying again…');
  });

  test('deliveries: an endpoint is added, an event sent, opened, redelivered, and the endpoint removed', async () => {
    const mock = createMock();
    const url = await startReceiver();
    const { problems, press, fill, see, alerted } = await open(mock, { path: '#/deliveries' });
    await press('Add an endpoint');
    await fill({ URL: url, Secret: 'secret', Header: 'x-signed' });
    await press('Add');
    await see('signed in x-signed');

    await press('Send an event');
    await fill({ Event: 'lead.changed', 'Data, as JSON': '{' });
    await press('Send');
    await alerted('not JSON');
    await fill({ 'Data, as JSON': '{"id": 7}' });
    await press('Send');

    await expect.poll(() => mock.webhooks.deliveries[0]?.state).toBe('delivered');
    await press('Open lead.changed');
    await see(mock.webhooks.deliveries[0]?.attempts[0]?.signature['x-signed'] ?? 'none');
    await press('Deliver once more');
    await expect.poll(() => mock.webhooks.deliveries.length).toBe(2);
    await press('Finish all');
    await see('Every delivery has ended.');
    await press(`Remove the endpoint ${url}`);
    await expect.poll(() => mock.webhooks.endpoints.length).toBe(0);
    expect(problems).toEqual([]);
  });

  test('faults: a double click switches on, plans or removes a fault only once', async () => {
    const mock = createMock();
    const { page, press, choose, see } = await open(mock, { path: '#/faults' });
    const clickTwice = (button: unknown) => {
      (button as { click(): void }).click();
      (button as { click(): void }).click();
    };
    for (const name of [
      ...['Server error', 'Unavailable', 'Rate limit', 'Slow'],
      ...['Broken', 'Lost', 'Silence', 'Flaky'],
    ]) {
      const toggle = page.getByRole('switch', { name: new RegExp(`^${name}`) });
      await toggle.evaluate(clickTwice);
      await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true');
    }
    // A switch shows what was asked of it before the mock has responded.
    await expect.poll(() => mock.faults.planned.length).toBe(8);
    expect(mock.faults.planned[0]).toMatchObject({ operation: '*', once: false, fault: { status: 500 } });
    const error = page.getByRole('switch', { name: /^Server error/ });
    await error.click();
    await expect.poll(() => error.getAttribute('aria-checked')).toBe('false');
    await press('Remove all');
    await see('Nothing goes wrong');

    await press('Plan a fault');
    await choose({ Operation: 'leads.create', 'What happens': 'Lost response', 'How often': 'always' });
    await page.getByRole('button', { name: 'Plan it' }).evaluate(clickTwice);
    await see('cut response, always');
    expect(mock.faults.planned).toMatchObject([
      { operation: 'leads.create', fault: { network: 'truncate' } },
    ]);
    await press('Remove the fault of leads.create');
    await expect.poll(() => mock.faults.planned).toEqual([]);
  });

  test('keys: windows fill up, and keys are created with scopes and revoked', async () => {
    const mock = createMock({ rateLimit: 5 });
    const { page, press, see } = await open(mock, { path: '#/keys' });
    await call(mock, 'agents');
    await call(mock, 'agents');
    await see('2 of 5 requests per minute');
    const meter = page.getByRole('meter').first();
    expect(await meter.evaluate((element) => (element as HTMLMeterElement).value)).toBe(2);
    await mock.clock.advance(60_000);
    await see('0 of 5 requests per minute');

    await press('Create a key');
    await page.getByLabel('write:leads').uncheck();
    await page.getByRole('spinbutton', { name: 'Requests per minute' }).fill('3');
    await press('Create');
    const key = await page.getByLabel('Key', { exact: true }).inputValue();
    await press('Close');
    const statuses = async () => [
      (await call(mock, 'leads', undefined, key)).status,
      (await call(mock, 'leads', {}, key)).status,
    ];
    expect(await statuses()).toEqual([200, 403]);
    await see('of 3 requests per minute');
    await page.getByRole('button', { name: 'Revoke' }).last().click();
    await press('Revoke for good?');
    await expect.poll(() => mock.keys.list().length).toBe(1);
    expect(await statuses()).toEqual([401, 401]);
  });

  test('clock: it is advanced and set, and says why it can not be set back', async () => {
    const mock = createMock();
    const began = mock.clock.now();
    const { page, press, fill, choose, alerted } = await open(mock, { path: '#/clock' });
    for (const [name, ms] of [
      ['+ 1 minute', 60_000],
      ['+ 1 hour', 3_660_000],
      ['+ 1 day', 90_060_000],
    ] as const) {
      await press(name);
      await expect.poll(() => mock.clock.now() - began).toBe(ms);
    }
    await fill({ By: '2' });
    await choose({ Unit: 'seconds' });
    await press('Advance');
    await expect.poll(() => mock.clock.now() - began).toBe(90_062_000);
    // A clock that moves meanwhile leaves alone what one has selected to write over.
    await page.getByLabel('To').selectText();
    await mock.clock.advance(1000);
    const face = (time: string) => page.locator('.clock-face').getByText(time).waitFor();
    await face('01:01:03');
    await page.keyboard.insertText('2030-05-06 07:08:09');
    await press('Set');
    await face('2030-05-06 07:08:09');
    await fill({ To: '2029-01-01 00:00:00' });
    await press('Set');
    await alerted('forward');
  });

  test('with an admin token, the page asks for it, refuses a wrong one, and takes one from the address', async () => {
    const { page, server, press, fill, see, alerted } = await open(createMock(), {
      serve: { adminToken: 'hush' },
    });
    await fill({ 'Admin token': 'wrong' });
    await press('Unlock');
    await alerted('not the admin token');
    await fill({ 'Admin token': 'hush' });
    await press('Unlock');
    await see('No conversations yet');

    const other = await page.context().browser()?.newPage();
    await other?.goto(`${server.url}/__mock/#token=hush`);
    await other?.getByText('Live', { exact: true }).waitFor();
    expect(other?.url()).not.toContain('hush');
    await other?.close();
  });

  test('what strangers write is text, whatever it contains', async () => {
    const mock = createMock({ data: 'demo' });
    const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const { conversation } = await mock.inbound({ phone: PHONE, body: evil });
    mock.leads.update(conversation.leadId ?? '', { displayName: evil, notes: evil });
    await call(mock, `leads?search=${encodeURIComponent(evil)}`, { displayName: evil });
    const { page, problems, press } = await open(mock, { path: `#/conversations/${conversation.id}` });
    await page.getByRole('log').getByText(evil).waitFor();
    await openView(page, 'Data');
    await press(`Edit ${evil}`);
    expect(await page.getByLabel('Display name').inputValue()).toBe(evil);
    await press('Close');
    await openView(page, 'Requests');
    await press(/^Open POST/);
    await page.getByRole('region', { name: 'Body' }).getByText('onerror').waitFor();
    expect(await page.locator('img, main script').count()).toBe(0);
    expect([await page.title(), problems]).toEqual(['confab mock', []]);
  });

  // axe examines fourteen pages.
  test.each(SCHEMES)('axe finds nothing in the %s scheme', { timeout: 120_000 }, async (colorScheme) => {
    const { page, press } = await open(await livelyMock(), { colorScheme });
    await page.getByText('Live', { exact: true }).waitFor();
    const dialogs: Readonly<Record<string, string | RegExp>> = {
      ...{ Conversations: 'New conversation', Data: 'New lead', Requests: /^Open POST/ },
      ...{ Deliveries: /^Open message\.created/, Faults: 'Plan a fault', Keys: 'Create a key' },
    };
    for (const view of VIEWS) {
      await openView(page, view);
      expect([view, await violationsOf(page)]).toEqual([view, []]);
      if (dialogs[view] !== undefined) {
        await press(dialogs[view]);
        await page.getByRole('dialog').waitFor();
        expect([view, await violationsOf(page)]).toEqual([view, []]);
        await page.keyboard.press('Escape');
      }
    }
    await openView(page, 'Conversations');
    await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click();
    await page.getByRole('log').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test.each([360, 768, 1_280])('nothing scrolls sideways at a width of %i, nor is cut off', async (width) => {
    const mock = await livelyMock();
    mock.leads.create({ displayName: 'W'.repeat(300) });
    const { conversation } = await mock.inbound({ phone: '+5511987654322', body: 'W'.repeat(300) });
    await call(mock, `leads?search=${'W'.repeat(300)}`);
    await call(mock, `conversations/${conversation.id}/messages`, { content: 'Hi' });
    const { page } = await open(mock, { viewport: { width, height: 700 } });
    const overflow = (of = 'html') =>
      page.locator(of).evaluate((element) => element.scrollWidth - element.clientWidth);
    for (const view of VIEWS) {
      await openView(page, view);
      expect([view, await overflow()]).toEqual([view, 0]);
      if (view === 'Requests' && width > 1_000) {
        expect(await overflow('td:has-text("conversations.sendMessage")')).toBe(0);
      }
    }
    await openView(page, 'Conversations');
    await page.getByRole('link', { name: /\+5511987654322/ }).click();
    await page.getByRole('log').getByText('WWW').waitFor();
    expect([await overflow(), await overflow('[role=log]')]).toEqual([0, 0]);
    const box = await page.getByLabel('Message as').boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(700);
  });

  test('everything can be reached by keyboard: the content is one key away, and rows open with Enter', async () => {
    const { page } = await open(await livelyMock(), { path: '#/requests' });
    const row = page.getByRole('button', { name: /^Open POST/ });
    await row.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => row.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});
