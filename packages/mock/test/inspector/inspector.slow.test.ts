import { listen } from '@confab/internal/test-support';
import { describe, expect, test } from 'vitest';
import { PRESETS } from '../../inspector/src/views/faults/presets.ts';
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
  const open = withInspector();

  test('conversations: the newest one is open, the user writes as the lead, and the reply of the app appears', async () => {
    const mock = createMock();
    const { page, problems, foreign, see } = await open(mock);
    await see('No conversations yet');
    const { conversation } = await mock.inbound({ phone: PHONE, body: 'Is it free?' });
    const bubbles = page.getByRole('log', { name: 'Messages' }).getByRole('listitem');
    await expect.poll(() => bubbles.allTextContents()).toEqual([expect.stringContaining('Is it free?')]);
    await call(mock, `conversations/${conversation.id}/messages`, { content: 'Yes, it is.' });
    await expect.poll(() => bubbles.last().textContent()).toContain('Yes, it is.');

    const composer = page.getByLabel('Message as');
    await composer.fill('Wonderful');
    // An Enter that ends the composition of a character does not send the message.
    await composer.dispatchEvent('keydown', { key: 'Enter', isComposing: true });
    await composer.dispatchEvent('keydown', { key: 'Enter', keyCode: 229 });
    expect(await composer.inputValue()).toBe('Wonderful');
    await composer.press('Enter');
    await expect.poll(() => bubbles.last().textContent()).toContain('Wonderful');
    expect(mock.messages.count()).toBe(3);

    // A reader who has scrolled up stays there.
    for (let at = 0; at < 40; at += 1) {
      mock.messages.create({
        conversationId: conversation.id,
        content: 'Line',
        createdAt: '2025-12-31T00:00:00Z',
      });
    }
    await expect.poll(() => bubbles.count()).toBe(43);
    const log = page.getByRole('log', { name: 'Messages' });
    const top = () => log.evaluate((element) => element.scrollTop);
    await expect.poll(top).toBeGreaterThan(0);
    await log.evaluate((element) => element.scrollTo({ top: 0 }));
    await mock.inbound({ conversationId: conversation.id, body: 'Wonderful' });
    await expect.poll(() => bubbles.count()).toBe(44);
    expect(await top()).toBe(0);

    // Opened again, without a conversation in the address.
    await page.goto(page.url().replace(/#.*/, '#/data'));
    await openView(page, 'Conversations');
    await expect.poll(() => bubbles.last().textContent()).toContain('Wonderful');
    await mock.clock.advance(120_000);
    await mock.inbound({ phone: '+5511987654322', body: 'Line one\nline two' });
    const entries = page.getByRole('navigation', { name: 'Conversations' }).getByRole('link');
    await expect
      .poll(() => entries.allTextContents())
      .toEqual([
        expect.stringMatching(/^\+5511987654322now ?You: Line one\nline two$/),
        expect.stringMatching(/^\+5511987654321\s?2 min. ago ?You: Wonderful$/),
      ]);
    expect(await entries.last().locator('time').getAttribute('title')).toMatch(/^\d{4}-.* UTC$/);
    // A conversation that becomes the newest does not replace the open one.
    expect(await bubbles.last().textContent()).toContain('Wonderful');

    await page.goto(page.url().replace(/#.*/, `#/conversations/${conversation.id}`));
    await page.setViewportSize({ width: 360, height: 700 });
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('link', { name: new RegExp(`\\${PHONE}`) }).click();
    await bubbles.first().waitFor();
    expect([problems, foreign]).toEqual([[], []]);
  });

  test('data: rows are searched, created, edited and deleted, and the mock is reset', async () => {
    const mock = createMock({ data: 'demo' });
    const { page, press, fill, see, rows } = await open(mock, { path: '#/data' });
    await rows(51);
    await press('Show more');
    await rows(61);
    mock.leads.create({ phone: '+5511900000000' });
    await page.getByRole('button', { name: 'Edit +5511900000000' }).waitFor();

    const lead = mock.leads.create({ phone: PHONE, displayName: 'Ada Lovelace' });
    await page.getByLabel('Search').fill('lovelace');
    await rows(2);
    await press('Edit Ada Lovelace');
    await fill({ Status: 'qualified', Phone: '' });
    await press('Save');
    await see('Lead saved.');
    expect(mock.leads.get(lead.id)).toEqual({ ...lead, status: 'qualified', phone: null });
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

  test('requests: requests appear as they arrive, and are filtered, opened and cleared', async () => {
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
      'RequestOperationFaultDurationTimeStatus',
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
    // An opened request says why it was refused.
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

  test('the base URL and the key are shown, and copied with a click; a lost connection is reported', async () => {
    const mock = createMock();
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, server, press, see } = await open(mock, { permissions });
    for (const [name, text] of [
      ['URL', server.url],
      ['key', mock.apiKey],
    ] as const) {
      await page.getByText(text, { exact: true }).waitFor();
      await press(`Copy ${name}`);
      await see(`Copied the ${name}.`);
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    }
    await page.getByText('Live', { exact: true }).waitFor();
    await server.close();
    await see('Connection lost, trying again…');
  });

  test('deliveries: each endpoint is added once, and events are sent, opened and redelivered', async () => {
    const mock = createMock();
    const url = await startReceiver();
    const { page, problems, press, fill, see, alerted, rows } = await open(mock, { path: '#/deliveries' });
    for (let time = 0; time < 2; time += 1) {
      await press('Add an endpoint');
      await fill({ URL: url, Secret: 'secret', Header: 'x-signed' });
      await press('Add');
      await (time === 0 ? see('signed in x-signed') : alerted('already receives'));
    }
    await press('Close', 'Send an event');
    await fill({ Event: 'lead.changed', 'Data, as JSON': '{' });
    await press('Send');
    await alerted('not JSON');
    await fill({ 'Data, as JSON': '{"id": 7}' });
    await press('Send');

    await expect.poll(() => mock.webhooks.deliveries[0]?.state).toBe('delivered');
    await press(/^Open lead.changed/);
    const dialog = page.getByRole('dialog', { name: 'lead.changed' });
    await dialog
      .getByText(mock.webhooks.deliveries[0]?.attempts[0]?.signature['x-signed'] ?? 'none')
      .waitFor();
    expect(await dialog.textContent()).toMatch(/Attempt 1.*Responseresponded with 200.*RequestPOST http/);
    expect(await dialog.getByRole('region', { name: 'Body' }).textContent()).toContain('"id": 7');
    await press('Redeliver');
    await expect.poll(() => mock.webhooks.deliveries.length).toBe(2);
    await press('Flush retries');
    await see('Every delivery has ended.');
    await press(`Remove the endpoint ${url}`);
    await expect.poll(() => mock.webhooks.endpoints.length).toBe(0);

    // A row shows the lead and the text, and describes a failure in words.
    const refusal = 'connect ECONNREFUSED 127.0.0.1:9';
    for (const failure of [503, refusal, 'No response within 50 ms', 'getaddrinfo ENOTFOUND']) {
      const fetch = () =>
        typeof failure === 'number' ? new Response(null, { status: failure }) : Promise.reject(failure);
      mock.webhooks.add({ url: 'http://127.0.0.1:9/', secret: 'secret', retries: [], fetch });
    }
    await mock.inbound({ phone: PHONE, body: 'Is it free?' });
    await mock.webhooks.flush();
    await rows(7);
    const states = ['host not found', 'No response within 50 ms', 'connection refused', 'responded with 503'];
    const texts = await page.getByRole('table').getByRole('row').allTextContents();
    for (const [at, state] of states.entries()) {
      expect(texts[at + 1]).toContain(`Open message.created${PHONE}: Is it free?`);
      expect(texts[at + 1]).toMatch(new RegExp(`1failed${state}$`));
    }
    expect(problems).toEqual([]);
  });

  test('faults: a double click switches on, plans or removes a fault only once, and a fault shows its uses', async () => {
    const mock = createMock();
    const { page, press, choose, fill, see, alerted } = await open(mock, { path: '#/faults' });
    const clickTwice = (button: unknown) => {
      (button as { click(): void }).click();
      (button as { click(): void }).click();
    };
    for (const [name] of PRESETS) {
      const toggle = page.getByRole('switch', { name: new RegExp(`^${name}`) });
      await toggle.evaluate(clickTwice);
      await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true');
    }
    // A switch changes before the mock has responded.
    await expect.poll(() => mock.faults.planned.length).toBe(8);
    expect(mock.faults.planned[0]).toMatchObject({ operation: '*', once: false, fault: { status: 500 } });
    const error = page.getByRole('switch', { name: /^Server error/ });
    await error.click();
    await expect.poll(() => error.getAttribute('aria-checked')).toBe('false');
    await press('Remove all');
    await see('Nothing goes wrong');

    await press('Plan a fault');
    await choose({ Operation: 'leads.create', Connection: 'truncate' });
    await fill({ 'How many times': '' });
    await page.getByRole('button', { name: 'Plan it' }).evaluate(clickTwice);
    await see('lost response, always, used 0 times');
    expect(mock.faults.planned).toMatchObject([
      { operation: 'leads.create', fault: { network: 'truncate' } },
    ]);
    await press('Remove the fault of leads.create');
    await expect.poll(() => mock.faults.planned).toEqual([]);

    const { id } = mock.leads.create({});
    const match = { params: { id } };
    await press('Plan a fault');
    await choose({ Operation: 'leads.get' });
    await fill({ 'Only requests that match': '{"parms": {}}', 'How many times': '3', Status: '503' });
    await press('Plan it');
    await alerted('parms');
    expect(await page.getByLabel('Only requests that match').getAttribute('aria-invalid')).toBe('true');
    await fill({ 'Only requests that match': JSON.stringify(match), 'Bytes per second': '1000' });
    await press('Plan it');
    await see(/status 503.*used 0 of 3 times/);
    expect(mock.faults.planned[0]).toMatchObject({ once: true, fault: { match, bytesPerSecond: 1_000 } });
    const other = mock.leads.create({}).id;
    const statusOf = async (lead: string) => (await call(mock, `leads/${lead}`)).status;
    expect([await statusOf(id), await statusOf(other), await statusOf(id)]).toEqual([503, 200, 503]);
    await see(/status 503.*used 2 of 3 times/);
    await press('Remove the fault of leads.get');
    await see(/status 503.*used 2 of 2 times/);
    expect(mock.faults.planned).toEqual([]);
  });

  test('keys: rate-limit windows fill up, and keys are created with scopes and revoked', async () => {
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
    await see(`…${key.slice(-4)}`);
    await page.getByRole('button', { name: 'Revoke' }).last().click();
    await press('Revoke for good?');
    await expect.poll(() => mock.keys.list().length).toBe(1);
    expect(await statuses()).toEqual([401, 401]);
    // The key in the header is marked, and its confirmation has a warning.
    expect(await page.getByRole('listitem').first().textContent()).toContain(
      `…${mock.apiKey.slice(-4)} Shown at the top`,
    );
    await press('Revoke', 'Revoke the key that your app may use?');
    await see('No key is valid');
  });

  test('clock: the clock is advanced and set, and the page says why it cannot be set back', async () => {
    const mock = createMock();
    const began = mock.clock.now();
    const { page, press, fill, alerted } = await open(mock, { path: '#/clock' });
    await press('+ 1 minute', '+ 1 hour', '+ 1 day');
    await expect.poll(() => mock.clock.now() - began).toBe(90_060_000);
    const face = (time: string) => page.locator('.clock-face').getByText(time).waitFor();
    await page.getByLabel('To').pressSequentially('2030-05-06 ');
    await mock.clock.advance(1000);
    await face('01:01:01');
    // A clock that moves does not change the text in a field.
    await page.keyboard.insertText('07:08:09');
    await press('Set');
    await face('2030-05-06 07:08:09');
    await fill({ To: '2029-01-01 00:00:00' });
    await press('Set');
    await alerted('forward');
  });

  test('with an admin token, the inspector asks for it, refuses a wrong token, and reads it from the address', async () => {
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

  test('content from strangers is shown as text, whatever it contains', async () => {
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

  test.each([360, 768, 1_280])('nothing scrolls sideways or is cut off at a width of %i', async (width) => {
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

  test('the header is 96 px high and shows the open view at 390 px, and aligns with the content on wider screens', async () => {
    const { page } = await open(await livelyMock(), {
      path: '#/keys',
      viewport: { width: 390, height: 700 },
    });
    const box = async (selector: string) =>
      (await page.locator(selector).first().boundingBox()) ?? { x: 0, width: 0, height: 0 };
    await page.getByText('Copy URL').waitFor();
    expect((await box('header.top')).height).toBeLessThanOrEqual(96);
    const link = await box('.views [aria-current]');
    expect(link.x + link.width).toBeLessThanOrEqual(390);
    await page.setViewportSize({ width: 1_440, height: 700 });
    await expect.poll(async () => (await box('.brand')).x).toBe((await box('main h1')).x);
  });

  test('every form works with the keyboard alone: focus starts in the first field, and Enter submits', async () => {
    const mock = createMock();
    const { page, see } = await open(mock, { path: '#/data' });
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null;
        return element?.labels?.[0]?.textContent ?? element?.textContent ?? '';
      });
    /** Tabs to the element with this name, and presses Enter. */
    const go = async (name: string): Promise<void> => {
      for (let step = 0; step < 80; step += 1) {
        if ((await focused()) === name) {
          return;
        }
        await page.keyboard.press('Tab');
      }
      throw new Error(`The keyboard does not reach ${name}`);
    };
    const enter = async (view: string, button: string, first: string): Promise<void> => {
      await go(view);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: view }).waitFor();
      await go(button);
      await page.keyboard.press('Enter');
      await expect.poll(focused).toBe(first);
    };
    const type = async (texts: Readonly<Record<string, string>>): Promise<void> => {
      for (const [label, text] of Object.entries(texts)) {
        await go(label);
        await page.keyboard.type(text);
      }
      await page.keyboard.press('Enter');
    };
    await see('No leads yet');

    await enter('Conversations', 'New conversation', 'Phone number of the lead');
    await type({ Channel: 'sms', Message: 'Hi' });
    // A missing value is reported at its field, which has the focus again, beside the hint.
    await expect.poll(focused).toBe('Phone number of the lead');
    const phone = page.getByLabel('Phone number of the lead');
    expect(await phone.getAttribute('aria-invalid')).toBe('true');
    const described = (await phone.getAttribute('aria-describedby'))?.split(' ') ?? [];
    const texts = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).textContent()));
    expect(texts).toEqual([expect.stringContaining('no lead has this number'), expect.stringMatching(/\w/)]);
    await page.keyboard.type('nonsense');
    await page.keyboard.press('Enter');
    await see(/must be a phone number/);
    await page.keyboard.press('Control+A');
    await type({ 'Phone number of the lead': PHONE });
    await expect.poll(() => mock.messages.find()).toMatchObject([{ content: 'Hi' }]);
    await type({ [`Message as ${PHONE}`]: 'And now?' });
    await expect.poll(() => mock.messages.count()).toBe(2);

    await enter('Data', 'New lead', 'Display name');
    await type({ 'Display name': 'Ada', Phone: '+5511987654322' });
    await expect
      .poll(() => mock.leads.find({ displayName: 'Ada' }))
      .toMatchObject([{ phone: '+5511987654322' }]);

    await enter('Deliveries', 'Add an endpoint', 'URL');
    await type({ URL: await startReceiver(), Secret: 'secret' });
    await expect.poll(() => mock.webhooks.endpoints.length).toBe(1);
    await enter('Deliveries', 'Send an event', 'Event');
    await type({ Event: 'lead.changed' });
    await expect.poll(() => mock.webhooks.deliveries.length).toBe(1);

    await enter('Faults', 'Plan a fault', 'Operation');
    await page.getByRole('option', { name: 'leads.get' }).waitFor({ state: 'attached' });
    await type({ Operation: 'leads.g', Status: '99', Headers: 'retry-after 2' });
    await expect.poll(focused).toBe('Status');
    await page.keyboard.press('Control+A');
    await type({ Status: '503' });
    await expect.poll(focused).toBe('Headers');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('retry-after: 2');
    await page.keyboard.press('Shift+Enter');
    await type({ Headers: 'x-own: yes', Body: '{"a": 1}' });
    await expect
      .poll(() => mock.faults.planned)
      .toMatchObject([
        {
          operation: 'leads.get',
          fault: { status: 503, headers: { 'retry-after': '2', 'x-own': 'yes' }, body: { a: 1 } },
        },
      ]);

    await enter('Keys', 'Create a key', 'read:conversations');
    await type({ 'Requests per minute': '3' });
    await expect.poll(() => mock.keys.list()).toMatchObject([{}, { rateLimit: { requests: 3 } }]);
    await page.keyboard.press('Escape');

    const began = mock.clock.now();
    await enter('Clock', '+ 1 minute', '+ 1 minute');
    await expect.poll(() => mock.clock.now() - began).toBe(60_000);
    await type({ Seconds: '1' });
    await expect.poll(() => mock.clock.now() - began).toBe(61_000);
    await type({ To: '2030-05-06 07:08:09' });
    await expect.poll(() => mock.clock.now()).toBe(Date.parse('2030-05-06T07:08:09Z'));
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
