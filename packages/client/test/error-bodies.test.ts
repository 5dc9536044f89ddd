import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { ApiError, InvalidResponseError } from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

const respond = (body: string, status: number, type = 'application/json') =>
  clientAt('https://api.example.com/v2', {
    retry: false,
    fetch: async () => new Response(body, { status, headers: { 'content-type': type } }),
  });

const page = '<html><head><title>\n 502 Bad Gateway </title></head><body>Ann, +44 20 7946 0958</body>';
const person = JSON.stringify({ name: 'Ann', phone: '+44 20 7946 0958' });

test.each([
  [
    200,
    `without \`success: true\` and \`data\`: ${person.length} characters of JSON.`,
    person,
    'application/json',
  ],
  [
    200,
    'with 20 characters of text/csv, which is not JSON',
    'Ann,+44 20 7946 0958',
    'text/csv; charset=utf-8',
  ],
  [200, 'with 20 characters of text/plain, which is not JSON', 'Ann,+44 20 7946 0958', 'text/plain'],
  [200, 'with a page titled "502 Bad Gateway", which is not JSON', page, 'text/html'],
  [200, 'with 16 characters of text/html, which is not JSON', '<title> </title>', 'text/html'],
  [200, 'with an empty body, which is not JSON', '', 'text/html'],
  [502, 'failed with 502: a page titled "502 Bad Gateway"', page, 'text/html'],
  [502, `failed with 502: ${person.length} characters of JSON`, person, 'application/json'],
  [
    502,
    'failed with 502: a body that starts with "upstream connect error"',
    'upstream connect error',
    'text/plain',
  ],
  [502, 'failed with 502: an empty body', '', 'text/plain'],
])('the error of a %i describes its body: %s', async (status, message, body, type) => {
  const error = await errorOf(respond(body, status, type).leads.get(ids.lead), Error);
  expect(error.message).toContain(message);
  expect(error.message).not.toContain('7946');
});

test('an error has the body of its response, which no log shows', async () => {
  const broken = JSON.stringify({ success: true, data: { ...lead, id: '+44 20 7946 0958', name: KEY } });
  for (const [status, body] of [
    [200, person],
    [200, broken],
    [404, person],
    [503, page],
  ] as const) {
    const call = respond(body, status).leads.get(ids.lead, { validation: 'strict' });
    const error = await call.catch((reason: unknown) => reason);
    if (!(error instanceof ApiError || error instanceof InvalidResponseError)) {
      throw error;
    }
    expect(error.body).toBe(body.replace(KEY, '[redacted]'));
    expect(`${inspect(error)} ${JSON.stringify(error)} ${Object.keys(error)}`).not.toContain('7946');
  }
  const long = await errorOf(respond('x'.repeat(50_000), 500, 'text/plain').leads.get(ids.lead), ApiError);
  expect(long.body).toBe('x'.repeat(10_000));
});

test('the message about a failed confab.request names its method and path, without the query', async () => {
  const send = (status: number, body: string, options = {}) =>
    respond(body, status).request({ method: 'GET', path: '/api/v3/tags', query: { phone: '7946' } }, options);
  const { message } = await errorOf(send(404, '{}'), ApiError);
  expect(message).toBe('GET /v2/api/v3/tags failed with 404: 2 characters of JSON');
  expect((await errorOf(send(200, '{}'), InvalidResponseError)).message).toMatch(
    /^GET \/v2\/api\/v3\/tags returned 200 /,
  );
});
