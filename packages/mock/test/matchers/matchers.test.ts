import { expect } from 'vitest';
import type { Endpoint, Mock } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { OrderedRequest, ReceivedOptions } from '../../src/vitest/index.ts';
import { test } from '../../src/vitest/index.ts';

const PHONE = '+5511987654321';

/** The message with which an assertion fails. */
const failureOf = (assertion: () => void): string => {
  try {
    assertion();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('It passed');
};

const receive = (mock: Mock, fetch: NonNullable<Endpoint['fetch']>, retries: readonly number[] = []) =>
  mock.webhooks.add({ url: 'https://receiver.test', secret: 'whsec_0123456789', fetch, retries });

const taken = () => new Response(null, { status: 204 });
const refused = () => new Response(null, { status: 503 });

test('toHaveReceived compares parameters, query and body', async ({ mock, confab }) => {
  const lead = await confab.leads.create({ phone: PHONE, displayName: 'Ana' });
  await confab.leads.update(lead.id, { status: 'active' });
  await confab.leads.list({ status: 'active', limit: 5 });
  expect(mock).toHaveReceived('leads.create');
  expect(mock).toHaveReceived('leads.create', { phone: PHONE });
  expect(mock).toHaveReceived('leads.create', { displayName: expect.stringMatching(/^A/) });
  expect(mock).toHaveReceived('leads.update', { id: lead.id, status: 'active' });
  expect(mock).toHaveReceived('leads.list', { limit: 5 });
  expect(mock).not.toHaveReceived('leads.create', { phone: '+5511987654322' });
  expect(mock).not.toHaveReceived('leads.get');
});

test('toHaveReceived refuses names that neither the contract nor a request has', async ({ mock, confab }) => {
  const says = 'Unknown leads.create field `phon`. Did you mean `phone`?';
  expect(() => expect(mock).toHaveReceived('leads.create', { phon: PHONE })).toThrow(says);
  expect(() => expect(mock).not.toHaveReceived('leads.create', { phon: PHONE })).toThrow(says);
  await confab.leads.create({ phone: PHONE }, { extraBody: { vip: true } }).catch(() => {});
  expect(mock).toHaveReceived('leads.create', { vip: true });
  expect(mock).not.toHaveReceived('leads.list', { limit: 5, offset: 0 });
});

test('toHaveReceived accepts any asymmetric matcher in place of values', async ({ mock, confab }) => {
  receive(mock, taken);
  await confab.leads.create({ phone: PHONE });
  mock.webhooks.emit('text', 'not an object');
  await mock.webhooks.flush();

  expect(mock).toHaveReceived('leads.create', expect.objectContaining({ phone: PHONE }));
  expect(mock).toHaveReceived('leads.create', expect.anything());
  expect(mock).not.toHaveReceived('leads.create', expect.objectContaining({ phone: 'other' }));
  expect(mock).not.toHaveReceived('leads.list', expect.anything());
  expect(() => expect(mock).not.toHaveReceived('leads.create', expect.anything())).toThrow(/there was one/);
  expect(mock).toHaveDelivered('text', expect.stringContaining('object'));
  expect(mock).not.toHaveDelivered('text', { length: 13 });
});

test('toHaveReceived refuses a value without named fields, which would match everything', async ({
  mock,
  confab,
}) => {
  await confab.leads.create({ phone: PHONE });
  for (const values of [null, PHONE, 5, true, [], [PHONE], () => PHONE, new Map(), Promise.resolve({})]) {
    const wrong = values as unknown as Record<string, unknown>;
    const says = /must be an object.*expect\.objectContaining/;
    expect(() => expect(mock).not.toHaveReceived('leads.create', wrong)).toThrow(says);
    expect(() => expect(mock).toHaveDelivered('order.paid', wrong)).toThrow(says);
  }
});

test('the matchers refuse a value that is not a mock, without showing a key', ({ mock }) => {
  for (const other of [undefined, null, 'mock', {}, mock.requests, mock.clientOptions]) {
    const failure = failureOf(() => expect(other).toHaveReceived('leads.create'));
    expect(failure).toMatch(/toHaveReceived\(\).*expect\(mock\)/);
    expect(failure).not.toContain(mock.apiKey);
  }
});

test('the failure of toHaveReceived names the requests that came instead', async ({ mock, confab }) => {
  const none = failureOf(() => expect(mock).toHaveReceived('leads.create'));
  expect(none).toBe(
    'Expected a request of leads.create; there was none\n  the mock received no request at all: was the call awaited?',
  );
  await confab.leads.list();
  await confab.leads.list();
  await confab.conversations.list();
  expect(failureOf(() => expect(mock).toHaveReceived('leads.create'))).toContain(
    'there was none\n  other requests: leads.list, conversations.list',
  );
  await confab.leads.create({ phone: PHONE });
  const came = `{"phone": "${PHONE}"}`;
  const one = failureOf(() => expect(mock).not.toHaveReceived('leads.create', { phone: PHONE }));
  expect(one).toBe(`Expected no request of leads.create with ${came}; there was one:\n  ${came}`);
});

test('the failure of toHaveReceived shows the nearest request, and each field that differs', async ({
  mock,
  confab,
}) => {
  const failure = (values: Record<string, unknown>) =>
    failureOf(() => expect(mock).toHaveReceived('leads.create', values));
  await confab.leads.create({ phone: '+5511987650001', displayName: 'Ana' });
  expect(
    failure({ phone: PHONE }),
  ).toBe(`Expected a request of leads.create with {"phone": "${PHONE}"}; there was one, which does not fit:
  {"displayName": "Ana", "phone": "+5511987650001"}
    phone: expected "${PHONE}", got "+5511987650001"`);
  await confab.leads.create({ phone: '+5511987650002', displayName: 'Ana', email: null });
  await confab.leads.create({ phone: '+5511987650003' });
  const wanted = {
    displayName: expect.stringMatching(/^A/),
    email: 'ana@example.com',
    notes: expect.any(String),
  };
  expect(failure(wanted).split('\n').slice(1)).toEqual([
    '  {"displayName": "Ana", "email": null, "phone": "+5511987650002"}',
    '    email: expected "ana@example.com", got null',
    '    notes: expected Any<String>, but it is missing',
  ]);
  // Of two requests with equally many differences, the latest is shown.
  expect(failure({ notes: 'x' })).toContain(
    'there were 3, none of which fits. The nearest:\n  {"phone": "+5511987650003"}',
  );
});

test('toHaveReceived counts requests, and shows the latest that match', async ({ mock, confab }) => {
  const phones = Array.from({ length: 7 }, (_, index) => `+551198765010${index}`);
  for (const phone of phones) {
    await confab.leads.create({ phone, source: 'website' });
  }
  const website = { source: 'website' };
  for (const times of [7, { min: 7 }, { max: 7 }, { min: 1, max: 9 }]) {
    expect(mock).toHaveReceived('leads.create', website, { times });
  }
  expect(mock).toHaveReceived('leads.list', {}, { times: 0 });
  expect(mock).not.toHaveReceived('leads.create', website, { times: 6 });
  const failure = failureOf(() => expect(mock).toHaveReceived('leads.create', website, { times: 6 }));
  expect(failure.split('\n')).toEqual([
    'Expected exactly 6 requests of leads.create with {"source": "website"}; there were 7:',
    ...phones.slice(-5).map((phone) => `  {"phone": "${phone}", "source": "website"}`),
    '  and 2 before these',
  ]);
  expect(
    failureOf(() => expect(mock).not.toHaveReceived('leads.create', website, { times: { min: 7 } })),
  ).toContain('Expected not at least 7 requests of leads.create');
  for (const [options, says] of [
    [{ time: 1 }, 'Did you mean `times`?'],
    [{ times: -1 }, '`times` must be a whole number of at least 0, got -1.'],
    [{ times: { min: 2, max: 1 } }, 'toHaveReceived() was called with at least 2 and at most 1'],
  ] as const) {
    const call = () => expect(mock).not.toHaveReceived('leads.create', {}, options as ReceivedOptions);
    expect(failureOf(call)).toContain(says);
  }
});

test('toHaveReceivedInOrder finds requests one after the other, with others between them', async ({
  mock,
  confab,
}) => {
  const { id } = await confab.leads.create({ phone: PHONE });
  await confab.agents.list();
  await confab.leads.update(id, { status: 'active' });
  await confab.leads.update(id, { status: 'converted' });
  const converted = ['leads.update', { status: 'converted' }] as const;
  expect(mock).toHaveReceivedInOrder(['leads.create', 'leads.update', converted]);
  expect(mock).toHaveReceivedInOrder([['leads.create', { phone: PHONE }], 'agents.list', converted]);
  expect(mock).not.toHaveReceivedInOrder([converted, ['leads.update', { status: 'active' }]]);
  expect(mock).not.toHaveReceivedInOrder(['agents.list', 'agents.list']);
  const failure = (...steps: OrderedRequest[]) => failureOf(() => expect(mock).toHaveReceivedInOrder(steps));
  expect(
    failure('agents.list', 'leads.create'),
  ).toBe(`Expected a request of leads.create after agents.list; there was none
  one came earlier, before that agents.list
  other requests: leads.update`);
  expect(failure('agents.list', ['leads.update', { status: 'lost' }])).toContain(
    'leads.update after agents.list with {"status": "lost"}; there were 2, none of which fits. The nearest:',
  );
  expect(failureOf(() => expect(mock).not.toHaveReceivedInOrder(['leads.create', converted]))).toBe(
    'Expected the requests not to come in this order: leads.create, leads.update',
  );
  const refusal = (...steps: unknown[]) =>
    failureOf(() => expect(mock).not.toHaveReceivedInOrder(steps as OrderedRequest[]));
  expect(refusal()).toContain("such as ['leads.create'");
  expect(refusal('agents.invoke', ['leads.update', { stauts: 'lost' }])).toContain('Did you mean `status`?');
  expect(refusal('lead.create')).toContain('Did you mean "leads.create"?');
  expect(refusal(['leads.create', PHONE])).toContain('must be an object');
});

test('toHaveDelivered compares the events that were delivered', async ({ mock }) => {
  receive(mock, taken);
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await mock.webhooks.flush();
  expect(mock).toHaveDelivered('message.created', { body: 'Hello' });
  expect(mock).not.toHaveDelivered('message.created', { body: 'Bye' });
  mock.webhooks.emit('lead.changed', { leadId: 7, tags: ['vip'] });
  await mock.webhooks.flush();
  expect(mock).toHaveDelivered('lead.changed', { tags: ['vip'] });
  expect(mock).not.toHaveDelivered('lead.changed', { leadId: 8 });
});

test('not.toHaveDelivered fails while a matching delivery is pending', async ({ mock }) => {
  receive(mock, taken);
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  expect(mock).not.toHaveDelivered('message.created', { body: 'Bye' });
  expect(failureOf(() => expect(mock).not.toHaveDelivered('message.created', { body: 'Hello' }))).toMatch(
    /^Expected no pending delivery of message\.created with .*; there was one:\n.*\n {2}await mock\.webhooks\.flush\(\)/,
  );
});

const named = test.extend('mock', () =>
  createMock({
    webhooks: { events: { newConversation: 'conversation.created', statusChange: 'lead.status' } },
  }),
);

named('toHaveDelivered refuses an event or a field that nothing sends', async ({ mock }) => {
  receive(mock, taken);
  const refusal = (event: string, values?: Record<string, unknown>) =>
    failureOf(() => expect(mock).not.toHaveDelivered(event, values));
  for (const [event, field, meant] of [
    ['message.created', 'bdy', '`body`'],
    ['conversation.created', 'leadID', '`leadId`'],
    ['lead.status', 'frm', '`from`'],
  ] as const) {
    expect(mock).not.toHaveDelivered(event);
    expect(refusal(event, { [field]: 'x' })).toContain(
      `Unknown ${event} field \`${field}\`. Did you mean ${meant}`,
    );
    expect(refusal(event.replace('ea', 'ae').replace('lead', 'laed'))).toContain(`Did you mean "${event}"?`);
  }
  for (const event of ['order.paid', 'lead.created']) {
    expect(refusal(event)).toContain(`Unknown event "${event}". Known: conversation.created, lead.status,`);
  }
  mock.webhooks.emit('order.paid', { total: 5 });
  await mock.webhooks.flush();
  expect(refusal('order.paid', { totl: 5 })).toContain('Did you mean `total`?');
  // @ts-expect-error the event has no such field
  expect(() => expect(mock).not.toHaveDelivered('message.created', { bdy: 'x' })).toThrow('`body`');
});

test('the failure of toHaveDelivered names the faults that lost an event', async ({ mock }) => {
  receive(mock, taken);
  const { deliveryFaults } = mock.webhooks;
  const [once, unused] = [deliveryFaults.once({ copies: 0 }), deliveryFaults.once({ copies: 0 })];
  const other = deliveryFaults.always({ copies: 0, match: { event: 'lead.changed' } });
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  mock.webhooks.deliveryFaults.remove(unused);
  mock.webhooks.emit('lead.changed', {});
  const why = failureOf(() => expect(mock).toHaveDelivered('message.created'));
  expect(why).toMatch(
    new RegExp(`there was none\\n  lost: the fault ${once} with copies: 0 was applied to 1 event$`),
  );
  expect(why).not.toContain(other);
});

test.each([
  ['{"error":"MISSING_SIGNATURE"}', 'MISSING_SIGNATURE'],
  ['<h1>\nForbidden</h1>', '<h1> Forbidden</h1>'],
])('the failure of toHaveDelivered shows the refusal %j as %j', async (body, shown) => {
  const mock = createMock();
  receive(mock, () => new Response(body, { status: 401 }));
  mock.webhooks.emit('message.created', {});
  await mock.webhooks.flush();
  expect(failureOf(() => expect(mock).toHaveDelivered('message.created'))).toMatch(
    new RegExp(`after 1 attempt: status 401 ${shown}$`),
  );
});

test('the failure of toHaveDelivered says why nothing matches: no endpoint, pending, given up, another name', async ({
  mock,
}) => {
  const why = (values?: { body: string }) =>
    failureOf(() => expect(mock).toHaveDelivered('message.created', values));
  for (const assertion of [expect(mock), expect(mock).not]) {
    expect(failureOf(() => assertion.toHaveDelivered('message.created'))).toContain('mock.webhooks.add()');
  }

  receive(mock, refused, [1_000]);
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  expect(why()).toContain('1 pending: await mock.webhooks.flush()');
  expect(why()).not.toContain('mock.webhooks.add()');
  await mock.webhooks.flush();
  expect(why()).toContain('1 failed, the last one after 2 attempts: status 503');
  expect(mock).not.toHaveDelivered('message.created');
  expect(why()).not.toContain('pending');

  mock.webhooks.emit('lead.changed', {});
  mock.webhooks.emit('lead.changed', {});
  mock.webhooks.emit('conversation.created', {});
  expect(why()).toContain('other events: lead.changed, conversation.created');

  mock.reset();
  receive(mock, taken);
  await mock.inbound({ phone: PHONE, body: 'Hello' });
  await mock.webhooks.flush();
  expect(why({ body: 'Bye' })).toMatch(/there was one, which does not fit:\n {2}\{"body": "Hello"/);
});
