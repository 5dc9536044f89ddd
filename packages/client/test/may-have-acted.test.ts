import { expect, test } from 'vitest';
import type { ClientOptions, ConfabError } from '../src/index.ts';
import {
  ApiError,
  ConfigurationError,
  ConflictError,
  ConnectionError,
  ImportStoppedError,
  InvalidRequestError,
  InvalidResponseError,
  NotFoundError,
  RateLimitError,
  RateLimitStoreError,
  ServerError,
  TimeoutError,
} from '../src/index.ts';
import { createSharedRateLimit } from '../src/redis/shared-window.ts';
import { clientAt } from './support/client.ts';
import { ids } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import type { Responder } from './support/server.ts';
import { drop, failure, hang, startServer, success, truncate } from './support/server.ts';

const phone = '+5511987654321';
const busy = failure(503, 'BUSY');
const exists = failure(409, 'ALREADY_EXISTS');
const page: Responder = (_, response) => void response.end('<title>Login</title>');
const redirect: Responder = (_, response) => void response.writeHead(302, { location: '/login' }).end();
const never = () => new Promise<never>(() => {});
const RETRYING = { retry: { limit: 1, baseDelay: 0, nonIdempotent: true } };

/** A `headers` function that fails for one attempt. */
const failAt =
  (failing: number) =>
  ({ attempt }: { readonly attempt: number }) =>
    attempt === failing ? Promise.reject(new Error('the vault is sealed')) : {};

/** A rate limit whose store fails. */
const brokenLimit = () => {
  const fail = () => Promise.reject(new Error('The store is down'));
  const store = { take: fail, release: fail, pause: fail };
  return createSharedRateLimit({ store, requests: 1, perMs: 1_000, onStoreError: 'throw' });
};

test.each<[string, Responder[], ClientOptions, abstract new (...args: never) => ConfabError]>([
  ['a lost connection', [drop], {}, ConnectionError],
  ['no response in time', [hang], { timeout: 50 }, TimeoutError],
  ['a total timeout after the request was sent', [hang], { totalTimeout: 50 }, TimeoutError],
  ['a 500', [failure(500, 'OOPS')], {}, ServerError],
  ['a 502', [failure(502, 'OOPS')], {}, ServerError],
  ['a 408', [failure(408, 'SLOW')], {}, ApiError],
  ['a body that was cut off', [truncate], {}, InvalidResponseError],
  ['a page', [page], {}, InvalidResponseError],
  ['a body that is too large', [success('x'.repeat(99))], { maxResponseBytes: 50 }, InvalidResponseError],
  ['a body that breaks the contract', [success({}, 201)], { validation: 'strict' }, InvalidResponseError],
  ['a 503, then a 409', [busy, exists], RETRYING, ConflictError],
  ['a 503, then a 429', [busy, failure(429, 'LIMIT')], RETRYING, RateLimitError],
  ['a 503, then a redirect', [busy, redirect], RETRYING, InvalidResponseError],
  ['a 503, then headers that fail', [busy], { ...RETRYING, headers: failAt(2) }, ConfigurationError],
])(
  'after %s, the error of a POST has mayHaveActed: true, and its message says so',
  async (_, responders, options, type) => {
    const server = await startServer(...responders);
    const confab = clientAt(server.url, { retry: false, ...options });
    const error = await errorOf(confab.leads.create({ phone }), type);
    expect(error.mayHaveActed).toBe(true);
    expect(error.message).toContain('may have');
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ mayHaveActed: true });
  },
);

test.each<[string, Responder, ClientOptions, abstract new (...args: never) => ConfabError]>([
  ['a 400', failure(400, 'INVALID'), {}, ApiError],
  ['a 404', failure(404, 'NOT_FOUND'), {}, NotFoundError],
  ['a 409', exists, {}, ConflictError],
  ['a 429', failure(429, 'LIMIT'), {}, RateLimitError],
  ['a redirect', redirect, {}, InvalidResponseError],
  ['a total timeout before the request was sent', hang, { totalTimeout: 50, apiKey: never }, TimeoutError],
  ['headers that fail', hang, { headers: failAt(1) }, ConfigurationError],
  ['a failed rate-limit store', hang, { rateLimit: brokenLimit() }, RateLimitStoreError],
])(
  'after %s, the error of a POST has mayHaveActed: false, and its message warns of nothing',
  async (_, responder, options, type) => {
    const server = await startServer(responder);
    const confab = clientAt(server.url, { retry: false, ...options });
    const error = await errorOf(confab.leads.create({ phone }), type);
    expect(error.mayHaveActed).toBe(false);
    expect(error.message).not.toContain('may have');
  },
);

test('after an unknown outcome, the message says what to do for each operation', async () => {
  const server = await startServer(busy);
  const confab = clientAt(server.url, { retry: false });
  const adviceOf = async (call: PromiseLike<unknown>) =>
    (await errorOf(call, ServerError)).message.replace(/^.*It did not work\.? ?/, '');
  expect([
    await adviceOf(confab.conversations.sendMessage(ids.conversation, { content: 'Hi' })),
    await adviceOf(confab.leads.create({ phone })),
    await adviceOf(confab.agents.invoke(ids.agent, { userMessage: 'Hi' })),
    await adviceOf(confab.request({ method: 'POST', path: '/tags' })),
    await adviceOf(confab.request({ method: 'PUT', path: '/tags' })),
    await adviceOf(confab.leads.update(ids.lead, { status: 'qualified' })),
  ]).toEqual([
    'The message may have been sent: read the conversation before you send it again.',
    'The lead may have been created: leads.ensure is safe to retry.',
    'The agent may have run: invoking it again only costs tokens.',
    'The service may have acted: check before you send it again.',
    'The service may have acted: sending it again does no harm.',
    'The service may have acted: sending it again does no harm.',
  ]);
});

test('if a request was not sent, mayHaveActed is false', async () => {
  const { url } = await startServer(busy);
  const confab = clientAt(url, { retry: false });
  const errors = [
    await errorOf(confab.leads.create({ phone: 7 as never }), InvalidRequestError),
    await errorOf(confab.leads.create({ phone }, { timeout: -1 }), ConfigurationError),
  ];
  expect(errors.map((error) => error.mayHaveActed)).toEqual([false, false]);
});

test.each([
  ['a GET', { method: 'GET' }, false],
  ['a HEAD', { method: 'HEAD' }, false],
  ['a GET that is not idempotent', { method: 'GET', idempotent: false }, true],
  ['a PUT', { method: 'PUT' }, true],
  ['a POST', { method: 'POST' }, true],
] as const)(
  'after a 500, mayHaveActed and the message of the error of %s agree: %o',
  async (_, request, expected) => {
    const server = await startServer(failure(500, 'OOPS'));
    const confab = clientAt(server.url, { retry: false });
    const error = await errorOf(confab.request({ ...request, path: '/tags' }), ServerError);
    expect(error.mayHaveActed).toBe(expected);
    expect(error.message.includes('may have')).toBe(expected);
  },
);

test.each<[string, () => unknown, typeof InvalidResponseError | typeof ConfigurationError]>([
  ['has issues', () => ({ issues: [{ message: 'is wrong' }] }), InvalidResponseError],
  ['throws', () => Promise.reject(new Error('no')), InvalidResponseError],
  ['returns no result', () => 7, ConfigurationError],
])('if the schema of a POST %s, mayHaveActed is true', async (_, validate, type) => {
  const server = await startServer(success({}));
  const schema = { '~standard': { version: 1, vendor: 'own', validate: validate as never } } as const;
  const call = clientAt(server.url).request({ method: 'POST', path: '/tags', schema });
  const error = await errorOf<ConfabError>(call, type);
  expect(error.mayHaveActed).toBe(true);
  expect(error.message).toContain('may have');
});

test.each([
  ['the creation was refused', exists, false],
  ['a response to the creation was lost', busy, true],
])('when leads.ensure fails after %s, mayHaveActed says so: %o', async (_, first, expected) => {
  const created = first === busy ? [first, exists] : [first];
  const { url } = await startServer(...created, failure(500, 'OOPS'));
  const confab = clientAt(url, { retry: { limit: 1, baseDelay: 0 } });
  const error = await errorOf(confab.leads.ensure({ phone }), ServerError);
  expect(error).toMatchObject({ operation: 'leads.list', mayHaveActed: expected });
});

test('an import that stopped may have imported earlier rows', async () => {
  const server = await startServer(failure(500, 'OOPS'));
  const confab = clientAt(server.url, { retry: false });
  const rows = Array.from({ length: 20 }, (_, index) => ({ phone: `+44207946${1_000 + index}` }));
  const error = await errorOf(confab.leads.ensureMany(rows), ImportStoppedError);
  expect(error.mayHaveActed).toBe(true);
});

test('a call that is aborted with the error of a different call leaves that error unchanged', async () => {
  const server = await startServer(hang);
  const confab = clientAt(server.url);
  const reason = await errorOf(confab.leads.get('7'), InvalidRequestError);
  const controller = new AbortController();
  const call = errorOf(confab.leads.create({ phone }, { signal: controller.signal }), InvalidRequestError);
  await server.arrived(1);
  controller.abort(reason);
  expect(await call).toBe(reason);
  expect(reason.mayHaveActed).toBe(false);
});
