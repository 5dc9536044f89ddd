import type { InitHook, KyInstance, Options } from 'ky';
import ky from 'ky';
import { afterEach, expect, test, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import {
  ConfigurationError,
  ConnectionError,
  createClient,
  InvalidResponseError,
  NotFoundError,
} from '../src/index.ts';
import { kyFetch } from '../src/ky/index.ts';
import { createTestClock } from './support/clock.ts';
import { KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { drop, failure, reachable, startServer, success } from './support/server.ts';
import { shown } from './support/shown.ts';

const baseUrl = 'https://api.example.com';
const phone = '+5511987654321';

const clientOf = (instance?: KyInstance, options: ClientOptions = {}) =>
  createClient({ baseUrl, apiKey: KEY, fetch: kyFetch(instance), retry: false, ...options });

const ok = (data: unknown = lead) => Response.json({ success: true, data });

/** Creates a `fetch` that records its requests. */
const canned = (respond: () => Response | Promise<Response> = ok) => {
  const sent: Request[] = [];
  const fetch: NonNullable<Options['fetch']> = async (input) => {
    // ky cancels the body of its own copy.
    sent.push((input as Request).clone());
    return respond();
  };
  return { sent, fetch };
};

/** Rejects as `fetch` does when there is no connection. */
const offline = async (): Promise<Response> => {
  throw new TypeError('fetch failed', {
    cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
  });
};

const instanceWith = {
  'ky.create()': (options: Options, base: Options) => ky.create({ ...base, ...options }),
  'ky.extend()': (options: Options, base: Options) => ky.create(base).extend(options),
  'an init hook': (options: Options, base: Options) =>
    ky.create({ ...base, hooks: { ...base.hooks, init: [(own) => void Object.assign(own, options)] } }),
};
const places = Object.keys(instanceWith) as (keyof typeof instanceWith)[];

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the hooks, context and headers of a ky instance apply to each attempt', async () => {
  const server = await startServer(failure(503, 'DOWN'), success(lead));
  const seen: unknown[] = [];
  const instance = ky.create({
    headers: { 'x-tenant': 'blue' },
    context: { trace: 'abc' },
    hooks: {
      beforeRequest: [
        ({ request, options }) => request.headers.set('traceparent', String(options.context.trace)),
      ],
      afterResponse: [({ response }) => void seen.push(response.status)],
    },
  });
  const confab = clientOf(instance, { baseUrl: server.url, clock: createTestClock(), retry: {} });

  await confab.leads.get(lead.id);

  expect(seen).toEqual([503, 200]);
  expect(
    server.arrivals.map(({ headers }) => [headers.traceparent, headers['x-tenant'], headers['x-api-key']]),
  ).toEqual([
    ['abc', 'blue', KEY],
    ['abc', 'blue', KEY],
  ]);
});

test('without an instance, kyFetch uses ky itself', async () => {
  const server = await startServer(success(lead));
  expect(await clientOf(undefined, { baseUrl: server.url }).leads.get(lead.id)).toEqual(lead);
});

test('the fetch, search parameters and credentials of a ky instance apply', async () => {
  const { sent, fetch } = canned();
  const instance = ky.create({ fetch, searchParams: { tenant: 'blue' }, credentials: 'include' });

  await clientOf(instance).leads.get(lead.id);

  expect(sent.map(({ url, credentials }) => [url, credentials])).toEqual([
    [`${baseUrl}/api/v2/public/leads/${lead.id}?tenant=blue`, 'include'],
  ]);
});

test('an init hook gets the headers as a plain object, as ky passes them on', async () => {
  const { sent, fetch } = canned();
  const init: InitHook = ({ headers }) => void Object.assign(headers as object, { 'x-tenant': 'acme' });
  await clientOf(ky.create({ fetch, hooks: { init: [init] } })).leads.get(lead.id);
  expect(sent[0]?.headers.get('x-api-key')).toBe(KEY);
  expect(sent[0]?.headers.get('x-tenant')).toBe('acme');
});

test('an afterResponse hook may replace the response, and a beforeRequest hook may skip the request', async () => {
  const { sent, fetch } = canned();
  const renamed = () => ok({ ...lead, displayName: 'Grace' });
  const replace = ky.create({ fetch, hooks: { afterResponse: [renamed] } });
  const skip = ky.create({ fetch, hooks: { beforeRequest: [renamed] } });

  expect(await clientOf(replace).leads.get(lead.id)).toMatchObject({ displayName: 'Grace' });
  expect(await clientOf(skip).leads.get(lead.id)).toMatchObject({ displayName: 'Grace' });
  expect(sent).toHaveLength(1);
});

const retry = {
  limit: 2,
  methods: ['get', 'post'],
  statusCodes: [500],
  delay: () => 0,
  shouldRetry: () => true,
};

test.each(places)('ky retries nothing, whatever %s says', async (place) => {
  const beforeRetry = vi.fn();
  for (const respond of [offline, () => new Response(null, { status: 500 })]) {
    const { sent, fetch } = canned(respond);
    const instance = instanceWith[place]({ retry }, { fetch, hooks: { beforeRetry: [beforeRetry] } });

    await errorOf(clientOf(instance).leads.get(lead.id), Error);
    await errorOf(clientOf(instance).leads.create({ phone }), Error);
    expect(sent).toHaveLength(2);
  }
  expect(beforeRetry).not.toHaveBeenCalled();
});

test('ky.retry() from an afterResponse hook fails the call, and the error says that only the client retries', async () => {
  const { sent, fetch } = canned();
  const elsewhere = new Request('https://elsewhere.example');
  const afterResponse = [() => ky.retry({ request: elsewhere, delay: 0 })];
  const confab = clientOf(ky.create({ fetch, hooks: { afterResponse } }), {
    retry: { limit: 2 },
    clock: createTestClock(),
  });
  const message =
    'returned 200, but a hook of the ky instance returned `ky.retry()`. Only the client retries: set its `retry` option instead.';

  expect((await errorOf(confab.leads.get(lead.id), ConfigurationError)).message).toBe(`leads.get ${message}`);
  expect((await errorOf(confab.leads.create({ phone }), ConfigurationError)).message).toBe(
    `leads.create ${message} The lead may have been created: leads.ensure is safe to retry.`,
  );
  expect(sent.map(({ url }) => new URL(url).origin)).toEqual([baseUrl, baseUrl]);
});

test.each(places)('the timeouts of ky stay off, whatever %s says', async (place) => {
  vi.useFakeTimers();
  const { fetch } = canned(async () => {
    await vi.advanceTimersByTimeAsync(60_000);
    return ok();
  });
  const instance = instanceWith[place]({ timeout: 1, totalTimeout: 1 }, { fetch });

  expect(await clientOf(instance, { clock: createTestClock() }).leads.get(lead.id)).toEqual(lead);
});

test.each(places)('an error status throws the error of the client, whatever %s says', async (place) => {
  const { fetch } = canned(() =>
    Response.json({ success: false, error: 'No', code: 'GONE' }, { status: 404 }),
  );
  for (const throwHttpErrors of [true, () => true]) {
    const instance = instanceWith[place]({ throwHttpErrors }, { fetch });

    expect(await errorOf(clientOf(instance).leads.get(lead.id), NotFoundError)).toMatchObject({
      code: 'GONE',
    });
  }
});

test.each(places)('ky sends the method, URL and body of the call, whatever %s says', async (place) => {
  const { sent, fetch } = canned();
  const instance = instanceWith[place](
    {
      method: 'delete',
      body: 'other',
      json: { other: true },
      prefix: 'https://elsewhere.example',
      baseUrl: 'https://elsewhere.example',
    },
    { fetch },
  );
  const confab = clientOf(instance);

  await confab.leads.get(lead.id);
  await confab.leads.create({ phone });

  expect(sent.map(({ method, url, body }) => [method, url, body === null])).toEqual([
    ['GET', `${baseUrl}/api/v2/public/leads/${lead.id}`, true],
    ['POST', `${baseUrl}/api/v2/public/leads`, false],
  ]);
  expect(await sent[1]?.json()).toEqual({ phone });
});

const fresh = ({ request: { url, headers } }: { request: Request }) => new Request(url, { headers });

test.runIf(reachable).each<[string, Options]>([
  ['its options follow redirects', { redirect: 'follow' }],
  [
    'an init hook follows redirects, and its fetch ignores options',
    {
      fetch: (request) => fetch(request as Request),
      hooks: { init: [(options) => void Object.assign(options, { redirect: 'follow' })] },
    },
  ],
  [
    'a beforeRequest hook makes a new request, and its fetch ignores options',
    { fetch: (request) => fetch(request as Request), hooks: { beforeRequest: [fresh] } },
  ],
])('a redirect through ky is refused when %s', async (_, options) => {
  const elsewhere = await startServer(success(lead));
  const server = await startServer((__, response) => {
    response.writeHead(302, { location: elsewhere.url }).end();
  });
  const confab = clientOf(ky.create(options), { baseUrl: server.url });

  const error = await errorOf(confab.leads.get(lead.id), InvalidResponseError);

  expect(error.message).toContain('redirect');
  expect(elsewhere.arrivals).toEqual([]);
});

test.each<[string, Options]>([
  ['a hook replaces the response', { hooks: { afterResponse: [() => ok()] } }],
  ['ky reports progress', { onDownloadProgress: () => {} }],
])('a redirect that the fetch of a ky instance has followed is refused even if %s', async (_, options) => {
  const { fetch } = canned(() => Object.defineProperty(ok(), 'redirected', { value: true }));

  const error = await errorOf(
    clientOf(ky.create({ ...options, fetch })).leads.get(lead.id),
    InvalidResponseError,
  );

  expect(error.message).toContain('redirect');
});

test.each<[string, Options]>([
  ['by default', {}],
  ['when an init hook removes the signal', { hooks: { init: [(options) => void delete options.signal] } }],
  ['when an init hook replaces it', { signal: new AbortController().signal }],
  [
    'when a beforeRequest hook makes a request without it',
    { hooks: { beforeRequest: [({ request }) => new Request(request.url)] } },
  ],
])('an abort ends a call through ky with the reason of its signal: %s', async (_, options) => {
  const controller = new AbortController();
  const { sent, fetch } = canned(() => {
    controller.abort(new Error('enough'));
    return new Promise(() => {});
  });
  const call = clientOf(ky.create({ ...options, fetch })).leads.get(lead.id, { signal: controller.signal });

  expect(await errorOf(call, Error)).toMatchObject({ message: 'enough' });
  expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
});

test('the signal of a ky instance still ends its requests', async () => {
  const controller = new AbortController();
  const { fetch, sent } = canned(() => {
    controller.abort();
    return Promise.reject(controller.signal.reason);
  });
  const beforeRequest = [({ request }: { request: Request }) => new Request(request)];
  const instance = ky.create({ fetch, hooks: { beforeRequest }, signal: controller.signal });

  await errorOf(clientOf(instance).leads.get(lead.id), ConnectionError);

  expect(sent.map(({ signal }) => signal.aborted)).toEqual([true]);
});

const endless = () => {
  const seen = { bytes: 0, canceled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += 65_536;
      controller.enqueue(new Uint8Array(65_536).fill(0x20));
    },
    cancel() {
      seen.canceled = true;
    },
  });
  return { seen, response: () => new Response(body) };
};

test.each<[string, (respond: () => Response) => Options]>([
  ['of the service', (respond) => canned(respond)],
  ['of an afterResponse hook', (respond) => ({ ...canned(), hooks: { afterResponse: [respond] } })],
  ['with progress', (respond) => ({ ...canned(respond), onDownloadProgress: () => {} })],
])('responses through ky that are too large are refused and canceled: %s', async (_, options) => {
  const { seen, response } = endless();
  const confab = clientOf(ky.create(options(response)), { maxResponseBytes: 200_000 });

  const error = await errorOf(confab.leads.get(lead.id), InvalidResponseError);
  await new Promise(setImmediate);

  expect(error.message).toContain('more than 200000 bytes');
  expect(seen.canceled).toBe(true);
  expect(seen.bytes).toBeLessThan(1_000_000);
});

test('a ky instance receives the progress of the download', async () => {
  const { fetch } = canned();
  const seen: number[] = [];
  const instance = ky.create({ fetch, onDownloadProgress: ({ percent }) => void seen.push(percent) });

  expect(await clientOf(instance).leads.get(lead.id)).toEqual(lead);
  expect(seen.at(-1)).toBe(1);
});

test.each<[string, Options, typeof drop]>([
  ['an error status', {}, failure(404, 'NOT_FOUND')],
  ['a server error with ky’s own errors on', { throwHttpErrors: true }, failure(500, 'BROKEN')],
  ['a lost connection', {}, drop],
  [
    'a hook that throws',
    {
      hooks: {
        beforeRequest: [
          ({ request }) => {
            throw Object.assign(new Error(request.headers.get('x-api-key') ?? ''), { request });
          },
        ],
      },
    },
    drop,
  ],
  ['ky.retry()', { hooks: { afterResponse: [() => ky.retry()] } }, success(lead)],
  [
    'a beforeError hook that keeps the request',
    {
      hooks: {
        beforeError: [
          ({ error, request }) =>
            Object.assign(new Error(`${request.headers.get('x-api-key')}`, { cause: error }), { request }),
        ],
      },
    },
    drop,
  ],
])('errors through ky contain neither its request nor the key, after %s', async (_, options, responder) => {
  const server = await startServer(responder);
  const confab = clientOf(ky.create(options), { baseUrl: server.url });

  const error = await errorOf(confab.leads.get(lead.id), Error);

  expect(shown(error)).not.toMatch(/\b(?:Request|Response|Headers) \{/);
  expect(shown(error)).not.toContain(KEY);
});

const fail = vi.fn(() => {
  throw Object.assign(new Error(`no secret for ${KEY}`), { code: 'NO_SECRET' });
});
const ownError = { code: 'NO_SECRET', message: 'no secret for [redacted]' };

test.each<[string, NonNullable<Options['hooks']>]>([
  ['a beforeRequest hook', { beforeRequest: [fail] }],
  ['an asynchronous beforeRequest hook', { beforeRequest: [async () => fail()] }],
  ['an init hook', { init: [fail] }],
  ['a beforeError hook', { beforeRequest: [() => Promise.reject(new Error('first'))], beforeError: [fail] }],
])('errors of %s say that nothing was sent', async (_, hooks) => {
  fail.mockClear();
  const { sent, fetch } = canned();

  const error = await errorOf(clientOf(ky.create({ fetch, hooks })).leads.get(lead.id), ConfigurationError);

  expect(error.message).toBe(
    `leads.get was not sent, because the ky instance failed: no secret for [redacted].`,
  );
  expect(error.cause).toMatchObject(ownError);
  expect(sent).toEqual([]);
  expect(fail).toHaveBeenCalledOnce();
});

test('errors of an afterResponse hook say that the service responded, and the call is not retried', async () => {
  for (const [method, doubt] of [
    ['get', ''],
    ['create', ' The lead may have been created: leads.ensure is safe to retry.'],
  ] as const) {
    const { sent, fetch } = canned();
    const confab = clientOf(ky.create({ fetch, hooks: { afterResponse: [fail] } }), { retry: {} });

    const call = method === 'get' ? confab.leads.get(lead.id) : confab.leads.create({ phone });
    const error = await errorOf(call, InvalidResponseError);

    expect(error.message).toBe(
      `leads.${method} returned 200, but the ky instance failed: no secret for [redacted].${doubt}`,
    );
    expect(error).toMatchObject({ status: 200, cause: ownError });
    expect(sent).toHaveLength(1);
  }
});

test.each([[{ retry: 0 }], ['ky'], [null], [() => {}]])(
  'kyFetch(%j) throws a ConfigurationError',
  (instance) => {
    expect(() => kyFetch(instance as never)).toThrow(ConfigurationError);
  },
);

test('a ky instance in place of its kyFetch is refused, because it would retry and hide statuses', () => {
  expect(() => createClient({ baseUrl, apiKey: KEY, fetch: ky.create() })).toThrow(
    '`fetch` must be a function like `fetch`, got a ky instance. Pass kyFetch(instance) from @confab/client/ky.',
  );
});
