import { expect, test } from 'vitest';
import { Refusal } from '../src/errors/refusal.ts';
import type { AdminAccess } from '../src/server/admin.ts';
import { checkAdmin, checkLocal, foreignHeader, tokenProblem } from '../src/server/admin.ts';

type Headers = Readonly<Record<string, string>>;

const headerOf =
  (headers: Headers) =>
  (name: string): string | null =>
    headers[name] ?? null;

const outcomeOf = (check: () => void): string => {
  try {
    check();
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    const { status, code, message } = error as Refusal;
    return `${status} ${code} ${message}`;
  }
  return 'allowed';
};

const admin = (headers: Headers, access: Partial<AdminAccess>) =>
  outcomeOf(() => checkAdmin(headerOf(headers), { token: undefined, loopback: true, ...access }));

const MISSING = '401 ADMIN_TOKEN_REQUIRED The control endpoints require the admin token.';
const WRONG = '401 ADMIN_TOKEN_INVALID This is not the admin token of the server.';

test.each<[headers: Headers, outcome: string]>([
  [{ 'x-admin-token': 'hush' }, 'allowed'],
  [{ authorization: 'Bearer hush' }, 'allowed'],
  [{ authorization: 'bearer   hush' }, 'allowed'],
  // The token may be the password of a proxy, which sends its own header too.
  [{ 'x-admin-token': 'hush', authorization: 'Bearer other' }, 'allowed'],
  [{ 'x-admin-token': 'other', authorization: 'Bearer hush' }, WRONG],
  [{ 'x-admin-token': 'hus' }, WRONG],
  [{ 'x-admin-token': '' }, MISSING],
  [{ authorization: 'hush' }, MISSING],
  [{ authorization: 'Bearerhush' }, MISSING],
  [{ authorization: 'A Bearer hush' }, MISSING],
  [{ authorization: 'Bearer hush hush' }, MISSING],
  [{ authorization: 'Basic hush' }, MISSING],
  [{}, MISSING],
])('with a token, a request with %j is %s', (headers, outcome) => {
  expect(admin({ host: 'mock.test', ...headers }, { token: 'hush' })).toMatch(outcome);
});

test.each<[headers: Headers, named: string]>([
  [{}, 'host: '],
  [{ host: '' }, 'host: '],
  [{ host: '%' }, 'host: %'],
  [{ host: 'evil.test' }, 'host: evil.test'],
  [{ host: 'evil.test:4010' }, 'host: evil.test:4010'],
  [{ host: 'localhost/evil.test' }, 'host: localhost/evil.test'],
  [{ host: 'localhost@evil.test' }, 'host: localhost@evil.test'],
])('without a token, a request with %j is refused, and the message names the header', (headers, named) => {
  const refused = `403 ORIGIN_REFUSED Without an admin token, the control endpoints accept only requests to this machine, but this one has ${JSON.stringify(named)}.`;
  expect(admin(headers, {})).toContain(refused);
  expect(outcomeOf(() => checkLocal(headerOf(headers), { loopback: true }))).toContain(refused);
  expect(foreignHeader(headerOf(headers))).toBe(named);
});

test('without a token, a server that other machines can reach is closed', () => {
  const headers = { host: 'localhost' };
  expect(admin(headers, {})).toBe('allowed');
  expect(admin(headers, { loopback: false })).toMatch(/^403 ADMIN_TOKEN_REQUIRED Other machines can reach/);
  expect(admin({ ...headers, 'x-admin-token': 'hush' }, { loopback: false, token: 'hush' })).toBe('allowed');
});

test.each<[headers: Headers, named: string | undefined]>([
  [{}, undefined],
  [{ origin: 'http://localhost:4010' }, undefined],
  [{ origin: 'https://LOCALHOST:4010' }, undefined],
  [{ origin: 'http://localhost:4011' }, 'origin: http://localhost:4011'],
  [{ origin: 'null' }, 'origin: null'],
  [{ 'sec-fetch-site': 'same-origin', origin: 'http://a.test' }, undefined],
  [{ 'sec-fetch-site': 'none' }, undefined],
  [{ 'sec-fetch-site': 'same-site' }, 'sec-fetch-site: same-site'],
  [{ 'sec-fetch-site': 'cross-site', origin: 'http://localhost:4010' }, 'sec-fetch-site: cross-site'],
])('a page is recognized by its headers: %j', (headers, named) => {
  const all = { host: 'LocalHost:4010', ...headers };
  expect(foreignHeader(headerOf(all))).toBe(named);
  expect(admin(all, {})).toContain(
    named === undefined
      ? 'allowed'
      : `403 ORIGIN_REFUSED The control endpoints refuse web pages of other origins, and this request has ${JSON.stringify(named)}.`,
  );
});

test('the origins that are allowed may use the control endpoints with the token only', () => {
  const allows = (origin: string) => origin === 'https://dashboard.test';
  const page = (origin: string) => ({
    host: 'localhost',
    'x-admin-token': 'hush',
    'sec-fetch-site': 'cross-site',
    origin,
  });
  expect(admin(page('https://dashboard.test'), { token: 'hush', allows })).toBe('allowed');
  expect(admin(page('https://other.test'), { token: 'hush', allows })).toMatch(/^403 /);
  expect(admin(page('https://dashboard.test'), { allows })).toMatch(/^403 /);
});

test('what a page does not say about itself allows nothing', () => {
  const access = { token: 'hush', allows: () => true };
  const headers = { host: 'localhost', 'x-admin-token': 'hush', 'sec-fetch-site': 'cross-site' };
  expect(admin(headers, access)).toMatch(/^403 /);
  const nameless = { 'x-admin-token': 'hush', origin: 'https://other.test' };
  expect(admin(nameless, { token: 'hush' })).toMatch(/^403 /);
});

test.each([
  ['hush', undefined],
  ['!~', undefined],
  ['', 'must not be empty.'],
  [' \t', 'must not be empty.'],
  ['hush hush', 'must consist of visible ASCII characters'],
  [' hush', 'must consist of visible ASCII characters'],
  ['hush\n', 'must consist of visible ASCII characters'],
  ['é', 'must consist of visible ASCII characters'],
])('a token of %j has the problem %j', (token, problem) => {
  const found = tokenProblem(token);
  expect(found?.startsWith(problem ?? '') ?? false).toBe(problem !== undefined);
});
