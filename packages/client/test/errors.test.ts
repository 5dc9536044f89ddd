import { expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfabError,
  ConflictError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../src/index.ts';
import { clientAt } from './support/client.ts';
import { ids, KEY } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createGate } from './support/gate.ts';
import { createManualClock } from './support/manual-clock.ts';
import type { Responder } from './support/server.ts';
import { failure, hang, startServer } from './support/server.ts';

const meet = async (responder: Responder) => {
  const server = await startServer(responder);
  const confab = clientAt(server.url, { retry: false });
  const error = await errorOf(confab.leads.get(ids.lead), ApiError);
  expect(error).toBeInstanceOf(ConfabError);
  expect(error).toMatchObject({ operation: 'leads.get', attempts: 1 });
  return error;
};

test.each([
  [401, 'API_KEY_REQUIRED', AuthenticationError],
  [401, 'API_KEY_INVALID', AuthenticationError],
  [403, 'SCOPE_REQUIRED', PermissionError],
  [404, 'WHATEVER', NotFoundError],
  [400, 'WHATEVER', BadRequestError],
  [409, 'WHATEVER', ConflictError],
  [429, 'RATE_LIMIT_EXCEEDED', RateLimitError],
  [500, 'OOPS', ServerError],
  [418, 'TEAPOT', ApiError],
] as const)('a %i with the code %s throws an error of its own class', async (status, code, type) => {
  const error = await meet(failure(status, code, 'No such luck'));
  expect(error.constructor).toBe(type);
  expect(error).toMatchObject({ name: type.name, status, code, detail: 'No such luck' });
  expect(error.message).toContain(`leads.get failed with ${status} ${code}: No such luck`);
});

test.each(['API_KEY_INVALID', 'API_KEY_REQUIRED'])(
  'the error of a 401 with the code %s says which key and URL to check',
  async (code) => {
    const server = await startServer(failure(401, code, `The API key ${KEY} is not valid`));
    // To `String.replace`, `$&` is a pattern.
    const confab = clientAt(`${server.url}/$&/${KEY}`, { retry: false });
    const error = await errorOf(confab.leads.list(), AuthenticationError);
    expect(error.message).toBe(
      `leads.list failed with 401 ${code}: The API key [redacted] is not valid. Check CONFAB_API_KEY or \`apiKey\`: does it belong to ${server.url}/$&/[redacted]?`,
    );
  },
);

test('the error of a response says so if its body was cut off', async () => {
  const error = await meet((_, response) => {
    response.writeHead(404, { 'content-length': '1000' });
    response.write('{"success":false,', () => response.destroy());
  });
  expect(error).toMatchObject({ name: 'NotFoundError', code: 'HTTP_404', body: undefined });
  expect(error.message).toBe('leads.get failed with 404; the body was cut off');
});

test('the error of a 403 has the missing scope', async () => {
  const error = await meet(failure(403, 'SCOPE_REQUIRED', "This key lacks the scope 'read:leads'."));
  expect((error as PermissionError).missingScope).toBe('read:leads');
});

test('the error of a 429 has limit, remaining and retryAfterMs from its headers', async () => {
  const headers = { 'X-RateLimit-Limit': '300', 'X-RateLimit-Remaining': '0', 'Retry-After': '7' };
  const error = await meet(failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', headers));
  expect(error).toMatchObject({ limit: 300, remaining: 0, retryAfterMs: 7_000 });
});

test.each([
  ['0', '-1', 'soon'],
  ['99999999999999999999', '0x10', 'soon'],
])('the error of a 429 leaves invalid headers undefined: %s, %s, %s', async (limit, remaining, after) => {
  const headers = { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining, 'Retry-After': after };
  const error = await meet(failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', headers));
  expect(error).toMatchObject({ limit: undefined, remaining: undefined, retryAfterMs: undefined });
});

test('an error has the headers of its response, without cookies', async () => {
  const error = await meet(
    failure(404, 'NOT_FOUND', 'No', { 'X-Request-Id': 'abc', 'Set-Cookie': 'session=1' }),
  );
  expect(error.headers).toMatchObject({ 'x-request-id': 'abc', 'content-type': 'application/json' });
  expect(JSON.stringify(error.headers)).not.toContain('session');
});

test('after a POST that was sent, the error of the total timeout says that the service may have acted', async () => {
  const server = await startServer(hang);
  const confab = clientAt(server.url, { totalTimeout: 50 });
  const { message } = await errorOf(confab.leads.create({ phone: '+5511987654321' }), TimeoutError);
  expect(message).toMatch(
    /^leads\.create did not end within its total timeout of 50 ms, after it was sent\. /,
  );
});

test('if an earlier attempt may have acted, the error of a call that is refused during a pause says so', async () => {
  const broken = failure(503, 'OOPS', 'It broke', { 'Retry-After': '1' });
  const server = await startServer(broken, failure(429, 'RATE', 'Too many', { 'Retry-After': '999' }));
  const { clock, turnTo } = createManualClock();
  const retrying = createGate();
  const hooks = { onRetry: retrying.open };
  const confab = clientAt(server.url, { clock, hooks, retry: { nonIdempotent: true } });
  const creation = errorOf(confab.leads.create({ phone: '+5511987654321' }), RateLimitError);
  await retrying.opened;
  await errorOf(confab.leads.get(ids.lead), RateLimitError);
  await turnTo(1_000);
  const { message } = await creation;
  expect(message).toContain('leads.create was not sent again: after a 429 the client is paused');
  expect(message).toMatch(/The lead may have been created: leads\.ensure is safe to retry\.$/);
});

test.each([
  [60_000, 'retry.maxRetryAfter'],
  [2_000_000, 'totalTimeout'],
])(
  'with maxRetryAfter: %i, the error of a call during a long pause names %s',
  async (maxRetryAfter, option) => {
    const server = await startServer(failure(429, 'RATE', 'Too many', { 'Retry-After': '999' }));
    const confab = clientAt(server.url, { retry: { maxRetryAfter } });
    await errorOf(confab.leads.get(ids.lead), RateLimitError);
    const { message } = await errorOf(confab.leads.get(ids.lead), RateLimitError);
    expect(message).toMatch(
      /^leads\.get was not sent: after a 429 the client is paused for another \d[\d.]* s, /,
    );
    expect(message).toContain(`longer than \`${option}\` allows`);
  },
);
