import { expect, test } from 'vitest';
import type { CallOptions, Confab } from '../src/index.ts';
import { createClient, InvalidRequestError } from '../src/index.ts';
import { createTestClock } from './support/clock.ts';
import { ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { failure, json, startServer, success } from './support/server.ts';

const clientOf = (url: string) => createClient({ baseUrl: url, apiKey: KEY, clock: createTestClock() });

const page = json(200, { success: true, data: [lead], meta: { total: 1, limit: 100, offset: 0 } });

test('extraBody and extraQuery are added to the documented fields', async () => {
  const server = await startServer(success(lead));
  await clientOf(server.url).leads.create(
    { phone: lead.phone },
    { extraBody: { score: 7, tags: ['a'], gone: undefined }, extraQuery: { expand: true, none: undefined } },
  );
  const [arrival] = server.arrivals;
  expect(JSON.parse(arrival?.body ?? '')).toEqual({ phone: lead.phone, score: 7, tags: ['a'] });
  expect(arrival?.query.toString()).toBe('expand=true');
});

test('each page of a list is requested with extraQuery', async () => {
  const server = await startServer(page);
  await clientOf(server.url)
    .leads.list({ status: 'new' }, { extraQuery: { sort: 'name' } })
    .all();
  expect(server.arrivals[0]?.query.toString()).toBe('status=new&limit=100&sort=name');
});

test('leads.ensure adds extraBody and extraQuery to the creation, not to the search', async () => {
  const server = await startServer(failure(409, 'LEAD_EXISTS'), page);
  const options = { extraBody: { score: 7 }, extraQuery: { notify: false } };
  await clientOf(server.url).leads.ensure({ phone: lead.phone }, options);
  const [create, search] = server.arrivals;
  expect(JSON.parse(create?.body ?? '')).toEqual({ phone: lead.phone, score: 7 });
  expect(create?.query.get('notify')).toBe('false');
  expect(search?.query.has('notify')).toBe(false);
});

const documentedIn = (part: string) => `is a documented field: pass it in the ${part} of the call`;
const unfit = 'must be an object, and the request must have a body to extend';

test.each<[string, (confab: Confab, options: CallOptions) => PromiseLike<unknown>, object, object[]]>([
  [
    'a field of the body',
    (confab, options) => confab.leads.create({ phone: lead.phone }, options),
    { extraBody: { phone: '+1', displayName: 'x', score: 1 } },
    [
      { path: 'extraBody.phone', message: documentedIn('body') },
      { path: 'extraBody.displayName', message: documentedIn('body') },
    ],
  ],
  [
    'a field of the query',
    (confab, options) => confab.leads.list({}, options),
    { extraQuery: { offset: 3 } },
    [{ path: 'extraQuery.offset', message: documentedIn('query') }],
  ],
  [
    'a body for an operation without one',
    (confab, options) => confab.leads.get(ids.lead, options),
    { extraBody: { a: 2 } },
    [{ path: 'extraBody', message: unfit }],
  ],
  [
    'a parameter that would be sent as "NaN"',
    (confab, options) => confab.leads.list({}, options),
    { extraQuery: { a: Number.NaN } },
    [{ path: 'extraQuery.a', message: 'must be a string, number or boolean, not NaN' }],
  ],
  [
    'values that are not JSON',
    (confab, options) => confab.leads.update(ids.lead, { status: 'active' }, options),
    { extraBody: { a: 1n, b: { c: [Number.NaN] } } },
    [
      { path: 'extraBody.a', message: 'must be JSON data, got a bigint: pass a string' },
      { path: 'extraBody.b.c[0]', message: 'must be JSON data, got NaN' },
    ],
  ],
])('extraBody and extraQuery are refused before sending: %s', async (_, call, options, issues) => {
  const server = await startServer(success(1));
  const error = await errorOf(call(clientOf(server.url), options), InvalidRequestError);
  expect(error.issues).toEqual(issues);
  expect(server.arrivals).toHaveLength(0);
});
