import { expect, test } from 'vitest';
import type { MockOptions } from '../../src/index.ts';
import { createMock, MockError } from '../../src/index.ts';
import { matchers } from '../../src/matchers/matchers.ts';
import { serve } from '../../src/server/index.ts';

/** What JavaScript can pass, and a value that came from somewhere else. */
const untyped = (value: unknown) => value as never;

test.for([
  [{ ratelimit: 5 }, 'Unknown option of createMock() `ratelimit`. Did you mean `rateLimit`?'],
  [{ colour: 'red' }, 'Unknown option of createMock() `colour`. Known: baseUrl, seed, data, '],
  [{ data: 'dmeo' }, 'Unknown data "dmeo". Did you mean "demo"?'],
  [{ data: { lead: [] } }, 'Unknown list of data `lead`. Did you mean `leads`?'],
  [
    { data: { leads: [{ displyName: 'Ada' }] } },
    "data.leads[0] can't be stored: unknown lead field `displyName`. Did you mean `displayName`?",
  ],
  [{ clock: 'systme' }, 'Unknown clock "systme". Did you mean "system"?'],
  [{ keys: [{ scope: [] }] }, 'Unknown key field `scope`. Did you mean `scopes`?'],
  [
    { keys: { key: 'k' } },
    "`keys` must be an array, such as [{ key: 'my_key', scopes: ['read:leads'] }], got an object",
  ],
  [{ keys: 'SECRET' }, '`keys` must be an array, such as [{ key:'],
  [
    { keys: [{}, 'SECRET'] },
    "`keys[1]` must be an object, such as { key: 'my_key', scopes: ['read:leads'] }, got a string",
  ],
  [{ keys: [null] }, '`keys[0]` must be an object, such as'],
  [
    { keys: [{ scopes: ['read:lead'] }] },
    'No operation requires the scope "read:lead". Did you mean "read:leads"?',
  ],
  [{ keys: [{ scopes: 'read:leads' }] }, "must be an array, such as ['read:leads'], got a string"],
  [{ keys: [{ scopes: [5] }] }, 'A scope must be read:<resource> or write:<resource>, got 5'],
  [{ keys: [{ key: 5 }] }, 'A key must consist of visible ASCII characters'],
  [{ scopes: { 'leads.list': 'reed:leads' } }, 'A scope must be read:<resource> or write:<resource>, got'],
  [{ strict: 'yes' }, '`strict` must be true or false, got "yes"'],
  [
    { keys: [{ rateLimit: { requests: 1, perMS: 1 } }] },
    'Unknown rateLimit field `perMS`. Did you mean `perMs`?',
  ],
  [{ rateLimit: { requests: 1, perMs: 1, header: 'always' } }, 'Did you mean `headers`?'],
  [{ rateLimit: { requests: 1, perMs: 1, headers: 'allways' } }, 'Did you mean "always"?'],
  [
    { scopes: { 'leads.creat': 'write:leads' } },
    'Unknown operation in scopes `leads.creat`. Did you mean `leads.create`?',
  ],
  [{ latency: { min: 1, maxx: 2 } }, 'Unknown latency field `maxx`. Did you mean `max`?'],
  [{ agents: { repsond: () => 'Hi' } }, 'Did you mean `respond`?'],
  [{ agents: { respond: 5 } }, '`agents.respond` must be a function, got 5'],
  [{ webhooks: { endpoint: [] } }, 'Unknown webhooks field `endpoint`. Did you mean `endpoints`?'],
  [{ webhooks: { events: { newConversations: 'c' } } }, 'Did you mean `newConversation`?'],
  [
    { webhooks: { endpoints: [{ url: 'http://receiver.test/', secret: 'whsec_0123456789', retrys: [] }] } },
    'Unknown endpoint field `retrys`. Did you mean `retries`?',
  ],
  [
    { defaultCountry: 'br' },
    '`defaultCountry` must be a country code of two capital letters, such as "BR", got "br"',
  ],
] as const)('createMock(%j) is refused with a suggestion', ([options, says]) => {
  const create = () => createMock(untyped(options));
  expect(create).toThrow(MockError);
  expect(create).toThrow(expect.objectContaining({ message: expect.stringContaining(says) }));
  // A key in the wrong place must not end up in a log.
  expect(create).toThrow(expect.objectContaining({ message: expect.not.stringContaining('SECRET') }));
});

test('a key can have a scope that only an override requires', () => {
  const scopes = ['write:sandbox'];
  expect(() => createMock({ keys: [{ scopes }] })).toThrow(
    'No operation requires the scope "write:sandbox". Known: read:conversations, ',
  );
  const mock = createMock({ scopes: { 'agents.invoke': 'write:sandbox' }, keys: [{ scopes }] });
  expect(() => mock.keys.create({ scopes })).not.toThrow();
  expect(() => mock.keys.create({ scopes: ['write:sandboxes'] })).toThrow('Did you mean "write:sandbox"?');
  expect(() => mock.keys.create(untyped('k'))).toThrow(
    "A key must be created from an object, such as { key: 'my_key', scopes: ['read:leads'] }, got a string",
  );
});

test.for([['demo'], [null], [5], [[]]])(
  'createMock(%j) is refused, because the options must be an object',
  ([options]) => {
    expect(() => createMock(untyped(options))).toThrow('The options of createMock() must be an object, got ');
  },
);

test('an option that is undefined is left out', () => {
  const options = Object.fromEntries(
    ['data', 'clock', 'keys', 'rateLimit', 'scopes', 'latency', 'agents', 'webhooks', 'defaultCountry'].map(
      (name) => [name, undefined],
    ),
  ) as MockOptions;
  expect(createMock(options).leads.count()).toBe(0);
});

test('a misspelled fault is refused with a suggestion', () => {
  const { faults } = createMock();
  for (const plan of [faults.once.bind(faults), faults.always.bind(faults)]) {
    expect(() => plan(untyped('leads.creat'), {})).toThrow(
      'Unknown operation "leads.creat". Did you mean "leads.create"?',
    );
    expect(() => plan('*', untyped({ delayMS: 1 }))).toThrow(
      'Unknown fault field `delayMS`. Did you mean `delayMs`?',
    );
    expect(() => plan('*', untyped({ network: 'eror' }))).toThrow(
      'Unknown network fault "eror". Did you mean "error"?',
    );
    expect(() => plan(untyped('leads.ensure'), { status: 503 })).toThrow(
      'Unknown operation "leads.ensure": this method of the client calls leads.create, and leads.list after a 409. Did you mean "leads.create"?',
    );
    for (const empty of [{}, { probability: 0.5 }, { status: undefined }]) {
      expect(() => plan('*', empty)).toThrow(
        'A fault must have at least one of `status`, `code`, `headers`, `delayMs`, `network`, `body`, such as { status: 503 }',
      );
    }
    expect(() => plan('*', untyped(503))).toThrow('`fault` must be an object, got a number.');
  }
});

test('a misspelled field of a function’s fault is reported in the response', async () => {
  const mock = createMock();
  mock.faults.once('agents.list', () => untyped({ stats: 503 }));
  const answer = await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`, {
    headers: { 'x-api-key': mock.apiKey },
  });
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('Did you mean `status`?');
});

test('a misspelled name of an operation is refused by the log and by matchers', () => {
  const mock = createMock();
  expect(() => mock.requests.of(untyped('lead.create'))).toThrow('Did you mean "leads.create"?');
  const context = { utils: {}, equals: Object.is };
  expect(() => matchers.toHaveReceived.call(untyped(context), mock, untyped('lead.create'))).toThrow(
    'Did you mean "leads.create"?',
  );
});

test('a misspelled field of a row is refused, also in a query, which would find nothing', () => {
  const { leads } = createMock({ data: 'demo' });
  const [lead] = leads.find();
  const wrong = untyped({ staus: 'new' });
  for (const use of [
    () => leads.create(wrong),
    () => leads.update(lead!.id, wrong),
    () => leads.find(wrong),
    () => leads.count(wrong),
  ]) {
    expect(use).toThrow(/nknown lead field `staus`\. Did you mean `status`\?$/);
  }
});

test('misspelled fields of keys, endpoints, inbound messages and delivery faults are refused', async () => {
  const mock = createMock();
  expect(() => mock.keys.create(untyped({ scope: [] }))).toThrow('Did you mean `scopes`?');
  expect(() => mock.webhooks.add(untyped({ url: 'http://receiver.test/', secrt: 's' }))).toThrow(
    'Did you mean `secret`?',
  );
  expect(() => mock.webhooks.deliveryFaults.once(untyped({ copys: 2 }))).toThrow('Did you mean `copies`?');
  await expect(mock.inbound(untyped({ phonee: '+5511987654321', body: 'Hi' }))).rejects.toThrow(
    'Unknown inbound() field `phonee`. Did you mean `phone`?',
  );
});

test('a misspelled field in an agent’s reply is reported in the response', async () => {
  const mock = createMock({ agents: { respond: () => untyped({ text: 'Hi', tokenIn: 5 }) } });
  const [agent] = mock.agents.find();
  const answer = await mock.fetch(`${mock.baseUrl}/api/v2/public/agents/${agent!.id}/invoke`, {
    method: 'POST',
    headers: { 'x-api-key': mock.apiKey },
    body: '{"userMessage":"Hello"}',
  });
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('Did you mean `tokensIn`?');
});

test('a misspelled option of serve() is refused', async () => {
  await expect(serve(createMock(), untyped({ prot: 4010 }))).rejects.toThrow(
    'Unknown option of serve() `prot`. Did you mean `port`?',
  );
});

test.for([
  [{ port: 99_999 }, '`port` must be a whole number from 0 to 65535, got 99999'],
  [{ port: -1 }, '`port` must be a whole number from 0 to 65535, got -1'],
  [{ port: '80a' }, '`port` must be a whole number from 0 to 65535, got "80a"'],
  [{ port: null }, '`port` must be a whole number from 0 to 65535, got null'],
  [{ host: 5 }, '`host` must be a host name or an IP address, got 5'],
  [{ adminToken: 5 }, '`adminToken` must be a string, got a number'],
  [{ onRequest: 'log' }, '`onRequest` must be a function, got a string'],
] as const)('serve() refuses %j', async ([options, says]) => {
  await expect(serve(createMock(), untyped(options))).rejects.toMatchObject({
    name: 'MockError',
    code: 'INVALID_ARGUMENT',
    message: expect.stringContaining(says),
  });
});

test('an event without a name and an id that is no text are refused', () => {
  const mock = createMock();
  for (const event of ['', undefined, 5]) {
    expect(() => mock.webhooks.emit(untyped(event), {})).toThrow('webhooks.emit(): the event must be a name');
  }
  expect(() => mock.leads.get(untyped(5))).toThrow('The id of a lead must be a text, got 5');
});
