import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { listen } from '@confab/internal/test-support';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { MockData, MockOptions } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { Unknown } from '../../src/upstream/probe/run-probe.ts';
import { folder, runInProcess, startInProcess, writeTempFile } from '../support/command.ts';
import { DISTINCTIVE_DATA, probe, probeMock } from '../support/probing.ts';
import { json } from '../support/real-service.ts';
import { start } from '../support/serving.ts';

const { leads: LEADS, conversations: CONVERSATIONS } = DISTINCTIVE_DATA;

/** The reasons of the questions without an answer, by question. */
const reasons = ({ unknown }: { unknown: readonly Unknown[] }): Record<string, string> =>
  Object.fromEntries(unknown.map(({ question, reason }) => [question, reason]));

const BEHAVIOR: MockOptions['behavior'] = {
  order: {
    'conversations.list': 'lastMessageAt desc',
    'leads.list': 'createdAt asc',
    'agents.list': 'name asc',
  },
  search: { displayName: 'start', email: 'word', phone: 'whole', ignoreCase: false },
  messages: { select: 'earliest', order: 'desc' },
  checks: [401, 404, 400, 429, 403],
  input: { unknownQuery: 'ignored', outOfRange: 'refused' },
  funnel: { days: 7, newLeads: 'status', counts: 'reached', divideBy: 'all', percent: true, decimals: 2 },
};

const CODES = { 400: 'VALIDATION_ERROR', 404: 'RESOURCE_MISSING', 409: 'LEAD_EXISTS' };

test('a probe that only reads learns the behavior of a service whose rows are distinctive', async () => {
  const { options, findings, mock } = await probeMock({
    data: DISTINCTIVE_DATA,
    behavior: { ...BEHAVIOR, codes: { '*': CODES } },
    rateLimit: { requests: 900, perMs: 60_000, headers: 'refused' },
  });
  const both = { 400: CODES[400], 404: CODES[404] };
  expect(options.behavior).toEqual({
    ...BEHAVIOR,
    // 429 and 403 have their default places, because no response contradicts them.
    checks: [401, 429, 403, 404, 400],
    codes: {
      'leads.list': { 400: CODES[400] },
      'leads.get': { 404: CODES[404] },
      'conversations.list': { 400: CODES[400] },
      'conversations.get': both,
      'analytics.funnel': { 400: CODES[400] },
    },
  });
  expect(reasons(findings)).toMatchObject({
    'Whether 403 or 400 comes first': 'the key has the scopes of all operations that were asked',
    'Source of a lead created without one': 'only a write can tell',
    'Rate limit of the key': 'no response named it',
  });
  expect(new Set([...mock.requests].map(({ method }) => method))).toEqual(new Set(['GET']));
});

test('with a key without scopes, the probe learns all scopes from the 403s', async () => {
  const scopes = { 'leads.list': 'read:contacts', 'agents.list': 'read:bots' };
  const { options } = await probeMock(
    { data: DISTINCTIVE_DATA, scopes, behavior: { checks: [401, 429, 400, 403, 404] } },
    { scopes: ['read:conversations'] },
  );
  const others = { 'leads.get': 'read:leads', 'analytics.funnel': 'read:analytics' };
  expect(options.scopes).toEqual({ ...scopes, ...others });
  expect(options.behavior?.checks).toEqual([401, 429, 400, 403, 404]);
});

test('with --allow-writes, a probe prints each write, and its leads can be found again', async () => {
  const { options, findings, writes, service, mock } = await probeMock(
    {
      data: DISTINCTIVE_DATA,
      behavior: { source: 'public-api', input: { unknownBody: 'ignored' }, codes: { '*': CODES } },
      defaultCountry: 'US',
    },
    { allowWrites: true },
  );
  expect(options).toMatchObject({
    behavior: {
      source: 'public-api',
      input: { unknownBody: 'ignored' },
      codes: {
        'leads.create': { 400: CODES[400], 409: CODES[409] },
        'leads.update': { 404: CODES[404] },
        'conversations.sendMessage': { 404: CODES[404] },
        'agents.invoke': { 404: CODES[404] },
      },
    },
    defaultCountry: 'US',
  });
  const sent = [...mock.requests].filter(({ method }) => method !== 'GET');
  expect(writes).toEqual(sent.map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body)}`));
  const made = mock.leads.find((q) => q.where({ displayName: (name) => name === 'confab-probe' }));
  expect(made.map(({ id }) => id).toSorted()).toEqual([...service.created].toSorted());
  const sources = made.map(({ source }) => source).filter((source) => source !== 'confab-probe');
  expect(sources).toEqual(['public-api']);
  for (const { phone } of made) {
    expect(phone).toMatch(/^\+1\d{3}55501\d\d$/);
  }
  expect(Object.values(reasons(findings)).join()).not.toContain('budget');
  // No message is sent, and no agent is invoked.
  expect(mock.messages.count()).toBe(DISTINCTIVE_DATA.messages.length);
});

const OF_ONE_MOMENT = LEADS.map((lead) => ({ ...lead, createdAt: '2024-01-01T00:00:00Z' }));

/** Two orders sort these rows alike. */
const IN_STEP = CONVERSATIONS.map((row) => ({ ...row, lastMessageAt: row.createdAt }));

const FEW = LEADS.slice(0, 5);

test.for<[question: string, reason: string, data: MockData]>([
  ['Order of leads.list', 'the 0 rows fit createdAt desc as well as createdAt asc', {}],
  ['`search` in email', 'the leads on the first page fit part as well as start', {}],
  ['Order of messages', 'the 0 messages fit createdAt asc as well as createdAt desc', {}],
  ['Messages that `messagesLimit` keeps', 'no conversation that was read has 4 messages of different', {}],
  ['What `conversionRate` divides `converted` by', 'the leads of the account fit all as well as', {}],
  ['Order of leads.list', 'the 5 rows fit createdAt desc, but so few could do so by chance', { leads: FEW }],
  ['Order of leads.list', 'the 13 rows fit createdAt desc as well as createdAt', { leads: OF_ONE_MOMENT }],
  ['Order of conversations.list', 'fit createdAt desc as well as lastMessageAt', { conversations: IN_STEP }],
])(
  'with too little evidence, the probe has no answer to “%s”, because %s',
  async ([question, reason, data]) => {
    expect(reasons((await probeMock({ data })).findings)[question]).toContain(reason);
  },
);

/** Starts a service whose behavior no option of the mock covers. */
const serveBy = (respond: (path: URL, outgoing: ServerResponse, incoming: IncomingMessage) => unknown) =>
  listen((incoming, outgoing) => {
    respond(new URL(incoming.url ?? '/', 'http://localhost'), outgoing, incoming);
  });

const list = (outgoing: ServerResponse, data: readonly unknown[], limit = 100) =>
  json(outgoing, 200, { success: true, data, meta: { total: data.length, limit, offset: 0 } });

const refusal = (outgoing: ServerResponse, status: number, code: string) =>
  json(outgoing, status, { success: false, error: 'No', code });

const page = (outgoing: ServerResponse, status: number) =>
  outgoing.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Something went wrong</h1>');

/** Rows sorted by a hidden field. */
const SHUFFLED = LEADS.map((_, at, all) => ({
  ...all[(at * 5) % all.length],
  pipelineId: DISTINCTIVE_DATA.pipelines[0]?.id,
}));

test('the probe gives no wrong answers about a service whose behavior no option of the mock covers', async () => {
  let requests = 0;
  const url = await serveBy(({ pathname, searchParams }, outgoing, { headers }) => {
    const path = pathname.replace('/api/v2/public', '');
    requests += 1;
    if (requests % 4 === 0) {
      return json(outgoing, 429, { slow: 'down' }, { 'retry-after': '2' });
    }
    if (headers['x-api-key'] === undefined) {
      return page(outgoing, 418);
    }
    if (path.startsWith('/leads/')) {
      return refusal(outgoing, 404, `REQUEST_${requests}`);
    }
    if (path === '/analytics/funnel') {
      return json(outgoing, 200, { success: true, data: { newLeads: 'many' } });
    }
    if (path !== '/leads') {
      return page(outgoing, path === '/agents' ? 502 : 403);
    }
    if (searchParams.get('limit') === '0') {
      return json(outgoing, 422, { message: 'limit' });
    }
    // The search finds random leads.
    return list(outgoing, searchParams.has('search') ? SHUFFLED.slice(0, requests % 3) : SHUFFLED);
  });
  const { options, findings } = await probe(url);
  expect(options).toEqual({});
  expect(findings.answers).toEqual([]);
  expect(reasons(findings)).toMatchObject({
    'Order of leads.list': 'the 13 rows fit no behavior of the mock',
    'Order of conversations.list': 'the key may not call conversations.list',
    'Order of agents.list': 'agents.list responded with 502',
    'Numbers beyond their bounds': 'leads.list responded with 422',
    'Days of the funnel without `from`': 'analytics.funnel responded with 200, but not as the contract says',
    'Code of 404 of leads.get': expect.stringMatching(/^it is not a plain word|^it is not always the same/),
  });
});

test('the probe knows an error code only after two responses contain it', async () => {
  let requests = 0;
  let queries = 0;
  const url = await serveBy(({ pathname, search }, outgoing) => {
    requests += 1;
    const isRow = /\/(?:leads|conversations)\/[^/]+$/.test(pathname);
    queries += isRow && search !== '' ? 1 : 0;
    // The service refuses only the first query of a conversation.
    if (isRow && (search === '' || queries > 1)) {
      return refusal(outgoing, 404, 'GONE');
    }
    return refusal(outgoing, 400, pathname.endsWith('/conversations') ? `BAD_${requests}` : 'BAD');
  });
  const { options, findings } = await probe(url);
  const codes = { 'leads.get': { 404: 'GONE' }, 'leads.list': { 400: 'BAD' } };
  expect(options.behavior?.codes).toMatchObject(codes);
  expect(reasons(findings)).toMatchObject({
    'Code of 400 of conversations.list': 'it is not always the same',
    'Code of 400 of conversations.get': expect.stringMatching(/^fewer than two responses had it, and it may/),
  });
});

test.for([
  [404, 'a missing key and a bad parameter'],
  [400, 'a missing key and an unknown id'],
  [401, 'whatever is wrong'],
] as const)(
  'the probe has no answer about the order of checks if the service returns %i for %s',
  async ([status]) => {
    const url = await serveBy(({ pathname, searchParams }, outgoing, { headers }) => {
      const isList = /\/(?:leads|conversations)$/.test(pathname);
      const isWrong = headers['x-api-key'] === undefined || !isList || searchParams.get('limit') === '0';
      return isWrong ? refusal(outgoing, status, 'NO') : list(outgoing, []);
    });
    const { options, findings } = await probe(url);
    expect(options.behavior?.checks).toBeUndefined();
    const pairs = ['401 or 400', '401 or 404', '400 or 404', '403 or 400', '403 or 404'];
    const unknown = Object.keys(reasons(findings)).filter((question) => question.startsWith('Whether 4'));
    expect(unknown).toEqual(pairs.map((pair) => `Whether ${pair} comes first`));
  },
);

test('the probe has no answer if operations behave differently', async () => {
  const url = await serveBy(({ pathname, searchParams }, outgoing) => {
    const limit = Number(searchParams.get('limit') ?? 25);
    const isLeads = pathname.endsWith('/leads');
    if ((!isLeads && searchParams.has('confabProbe')) || limit === 101) {
      return refusal(outgoing, 400, 'BAD');
    }
    return list(outgoing, [], Math.max(limit, 1));
  });
  const { options, findings } = await probe(url);
  expect(options.behavior?.input).toBeUndefined();
  expect(reasons(findings)).toMatchObject({
    'Unknown query parameters':
      'confabProbe=1 of leads.list is ignored, but confabProbe=1 of agents.list is refused',
    'Numbers beyond their bounds':
      'limit=0 of conversations.list is clamped, but limit=101 of leads.list is refused',
  });
});

test('the probe has no answer if the service ignores the parameter', async () => {
  const meta = { total: 500, limit: 25, offset: 0 };
  const url = await serveBy(({ searchParams }, outgoing) => {
    const data = searchParams.has('search') ? [] : SHUFFLED;
    json(outgoing, 200, { success: true, data, meta });
  });
  expect(reasons((await probe(url)).findings)).toMatchObject({
    'Numbers beyond their bounds': 'the service accepts limit=0 of leads.list, but not as the mock does',
    // The search may have found leads on later pages.
    '`search` in phone': expect.stringMatching(/fit part as well as start .* as well as none/),
  });
});

test('whatever a service responds, a probe neither fails nor writes options that a mock refuses', async () => {
  const anyBody = fc.oneof(
    fc.json(),
    fc.constant('<html>'),
    fc.constant(''),
    fc
      .tuple(fc.string(), fc.string())
      .map(([error, code]) => JSON.stringify({ success: false, error, code })),
    fc.json().map((data) => `{"success":true,"data":[${data}],"meta":{"total":1,"limit":1,"offset":0}}`),
  );
  const anyResponse = fc.record({
    status: fc.constantFrom(200, 200, 201, 400, 401, 403, 404, 429, 500, 302),
    body: anyBody,
    headers: fc.dictionary(
      fc.constantFrom('retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'location'),
      fc.constantFrom('0', '1', '7', '-1', 'soon', '600', 'Thu, 01 Jan 1970 00:00:00 GMT'),
    ),
  });
  let responses: readonly { status: number; body: string; headers: Record<string, string> }[] = [];
  let requests = 0;
  const url = await serveBy((_, outgoing) => {
    const { status = 200, body = '', headers = {} } = responses[requests % responses.length] ?? {};
    requests += 1;
    outgoing.writeHead(status, headers).end(body);
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyResponse, { minLength: 1, maxLength: 30 }), async (given) => {
      [responses, requests] = [given, 0];
      const { options } = await probe(url, { allowWrites: true });
      expect(requests).toBeLessThanOrEqual(80);
      expect(() => createMock(options)).not.toThrow();
    }),
    { numRuns: 40 },
  );
});

test.for([
  [25, undefined, 60],
  [1, 1_200, 120],
] as const)(
  'with %i requests and a rate limit of %i, the probe sends at most %i in one minute',
  async ([maxRequests, limit, most]) => {
    const rateLimit = limit && { requests: limit, perMs: 60_000, headers: 'always' as const };
    const options = { data: DISTINCTIVE_DATA, rateLimit };
    const { service, findings, mock } = await probeMock(options, { maxRequests });
    const times = [...mock.requests].map(({ at }) => at);
    expect(times.length).toBe(service.sent.length);
    expect(times.length).toBeLessThanOrEqual(maxRequests);
    // The first request is sent before the service has named its limit.
    const waits = times.slice(1).map((time, at) => time - (times[at] ?? 0));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(60_000 / most);
    if (maxRequests < 30) {
      expect(Object.values(reasons(findings))).toContain(`the budget of ${maxRequests} requests was used up`);
    }
  },
);

test('the probe waits after a 429, which counts toward the budget', async () => {
  const { mock, server } = await start({}, { data: DISTINCTIVE_DATA });
  mock.faults.once('leads.list', { status: 429, headers: { 'retry-after': '90' } });
  const lines: string[] = [];
  const began = mock.clock.now();
  const { service } = await probe(server.url, {
    apiKey: mock.apiKey,
    clock: mock.clock,
    showProgress: (line) => lines.push(line),
  });
  expect(lines[0]).toBe('1 of at most 80 requests: Order of leads.list');
  expect(lines.filter((line) => line.includes('429, waiting 90 s'))).toHaveLength(1);
  expect(service.sent.length).toBe(mock.requests.length);
  expect(mock.clock.now() - began).toBeGreaterThan(90_000);
});

test('a Retry-After of more than ten minutes ends the probe at any point, and the message names the wait', async () => {
  const { mock, server } = await start({}, { data: DISTINCTIVE_DATA });
  mock.faults.once('conversations.list', { status: 429, headers: { 'retry-after': '3600' } });
  const probing = probe(server.url, { apiKey: mock.apiKey, clock: mock.clock });
  await expect(probing).rejects.toThrow('asks the probe to wait 3600 s');
  expect(mock.requests.of('conversations.list')).toHaveLength(1);
});

test('a lead whose name is long and has many words does not end the probe', async () => {
  const [first, ...others] = createMock({ data: DISTINCTIVE_DATA }).leads.find();
  const displayName = 'abcd '.repeat(400_000).trim();
  const url = await serveBy((_, outgoing) => list(outgoing, [{ ...first, displayName }, ...others]));
  const { findings } = await probe(url, { maxRequests: 4 });
  expect(reasons(findings)['`search` in email']).toContain('fit');
});

/** Runs the command against a mock, and returns its output and its files. */
const runCommand = async (options: MockOptions, flags: readonly string[] = [], env = {}) => {
  const { mock, server } = await start({}, options);
  const given = { CONFAB_API_KEY: mock.apiKey, CONFAB_BASE_URL: server.url, ...env };
  for (const [name, value] of Object.entries<string | undefined>(given)) {
    vi.stubEnv(name, value);
  }
  const path = folder();
  const [output, record] = [join(path, 'confab.mock.json'), join(path, 'rows.json')];
  // With this limit, the probe never has to wait.
  const words = ['--output', output, '--record', record, '--rate-limit', '600000', ...flags];
  const ran = runInProcess('probe', ...words).then(({ printed }) => printed.join(''));
  return { ran, mock, output, record };
};

test('neither the report of a probe nor its files contain the key or personal data', async () => {
  const leads = LEADS.map((lead, at) => ({ ...lead, displayName: `Mirabel Quastenberg ${at}` }));
  const codes = {
    'leads.get': { 404: 'NO_MIRABEL_QUASTENBERG_1' },
    'conversations.get': { 404: 'GONE 5511987654012' },
    'leads.list': { 400: 'BAD_plain-key' },
  };
  const { ran, output, record } = await runCommand(
    { data: { ...DISTINCTIVE_DATA, leads }, keys: [{ key: 'plain-key' }], behavior: { codes } },
    [],
    { CONFAB_API_KEY: 'plain-key' },
  );
  const text = await ran;
  const all = [text, readFileSync(output, 'utf8'), readFileSync(record, 'utf8')].join('\n');
  expect(all).not.toMatch(/mirabel|quastenberg|@mail|11987654|plain-key/i);
  expect(text).toMatch(/Code of 404 of leads\.get[^:]*: it is not a plain word, or it contains a value of/);
});

test('--config loads the file of a probe, --data its recording, and --force replaces an existing file', async () => {
  const output = writeTempFile('mine.json', '{}');
  const behavior = { ...BEHAVIOR, codes: { 'leads.get': { 404: 'LEAD_NOT_FOUND' } } };
  const flags = ['--output', output, '--force'];
  const { ran, record } = await runCommand({ data: DISTINCTIVE_DATA, behavior }, flags);
  const text = await ran;
  const { call } = await startInProcess('--config', output);
  const { body } = await call('/api/v2/public/leads/99999999-9999-4999-8999-999999999999');
  expect(body).toMatchObject({ code: 'LEAD_NOT_FOUND' });
  const recorded = await startInProcess('--data', record);
  expect((await recorded.call('/api/v2/public/leads')).body.meta.total).toBe(13);
  expect(JSON.parse(readFileSync(output, 'utf8')).behavior.order).toEqual(BEHAVIOR?.order);
  expect(text).toMatch(/answers: \d+ differ from the mock's default behavior/);
  expect(text).toContain(`Wrote ${output}`);
});

/** A file that exists. */
const HERE = import.meta.filename;

test.for<[flags: readonly string[], says: string, env?: Readonly<Record<string, string | undefined>>]>([
  [['--base-url', 'https://user:secret@api.example.com'], 'must not contain a user name or password'],
  [['--base-url', 'http://api.example.com'], 'must be an https URL, because each request carries the key'],
  [[], 'No base URL. Pass --base-url, or set CONFAB_BASE_URL', { CONFAB_BASE_URL: undefined }],
  [[], 'CONFAB_API_KEY is not set. It must be the key of the service', { CONFAB_API_KEY: undefined }],
  [[], 'CONFAB_API_KEY, the key of the service, must consist of', { CONFAB_API_KEY: 'secret key' }],
  [['--output', HERE], `${HERE} exists already. Choose a different file, or replace it with --force.`],
  [['--record', join(HERE, 'x', 'y.json')], `the folder ${join(HERE, 'x')} does not exist`],
])('probe refuses %j before it sends anything: %s', async ([flags, says, env]) => {
  const { ran, mock } = await runCommand({}, flags, env);
  await expect(ran).rejects.toThrow(says);
  await expect(ran).rejects.not.toThrow('secret');
  expect(mock.requests).toHaveLength(0);
});

test('a key that the service refuses, or a service that is not there, ends the probe at once', async () => {
  const stopped = await start();
  await stopped.server.close();
  const { ran } = await runCommand({}, ['--base-url', stopped.server.url]);
  await expect(ran).rejects.toThrow(/could not be reached: .* ECONNREFUSED/);
  const wrong = await runCommand({}, [], { CONFAB_API_KEY: 'wrong' });
  await expect(wrong.ran).rejects.toThrow('refused the key with a 401. Set CONFAB_API_KEY to a valid one.');
  expect(wrong.mock.requests).toHaveLength(1);
});

test.for([
  ['a web page', 200, 'text/html', '200 (text/html)'],
  ['a 500', 500, 'application/json', '500 (application/json)'],
] as const)(
  'a response of %s in place of leads ends the probe, and nothing is written',
  async ([, status, type, says]) => {
    const url = await serveBy((_, outgoing) =>
      outgoing.writeHead(status, { 'content-type': type }).end('{"success":false,"error":"No"}'),
    );
    const { ran, output } = await runCommand({}, ['--base-url', url]);
    await expect(ran).rejects.toThrow(`was answered with ${says}, not as the API does. Check --base-url`);
    expect(existsSync(output)).toBe(false);
  },
);
