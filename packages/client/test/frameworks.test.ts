import ky from 'ky';
import { expect, test, vi } from 'vitest';
import type { ClientOptions, Confab } from '../src/index.ts';
import { kyFetch } from '../src/ky/index.ts';
import { instrument } from '../src/opentelemetry/index.ts';
import { clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, KEY, lead } from './support/data.ts';

/** The error that Next.js throws to render a page for each request, and in `redirect()` and `notFound()`. */
const steering = () => Object.assign(new Error('Dynamic server usage'), { digest: 'DYNAMIC_SERVER_USAGE' });

const ok = async () => Response.json({ success: true, data: lead });

const withHook =
  (name: 'init' | 'beforeRequest' | 'afterResponse') =>
  (thrown: () => never): ClientOptions => ({
    fetch: kyFetch(ky.create({ fetch: ok, hooks: { [name]: [thrown] } })),
  });

/** Each user's function that may throw it. */
const places: Record<string, (thrown: () => never) => ClientOptions> = {
  fetch: (thrown) => ({ fetch: thrown }),
  'fetch, while its body is read': (thrown) => ({
    fetch: async () => new Response(new ReadableStream({ pull: thrown })),
  }),
  apiKey: (thrown) => ({ apiKey: thrown }),
  headers: (thrown) => ({ headers: thrown }),
  'the fetch of instrument()': (thrown) => instrument({ fetch: thrown }),
  'the headers of instrument()': (thrown) => instrument({ headers: thrown }),
  'the fetch of a ky instance': (thrown) => ({ fetch: kyFetch(ky.create({ fetch: thrown })) }),
  'an init hook': withHook('init'),
  'a beforeRequest hook': withHook('beforeRequest'),
  'an afterResponse hook': withHook('afterResponse'),
};

/** Each way to call. */
const ways: Record<string, (confab: Confab) => unknown> = {
  'a read': (confab) => confab.leads.get(ids.lead),
  'a POST': (confab) => confab.leads.create({ phone: lead.phone }),
  'all rows': (confab) => confab.leads.list().all(),
  'a loop': async (confab) => {
    for await (const _ of confab.leads.list({}, { prefetch: 2 })) {
    }
  },
  ensure: (confab) => confab.leads.ensure({ phone: lead.phone }),
  'an import': (confab) => confab.leads.ensureMany([{ phone: lead.phone }, { phone: '+442079460001' }]),
  'a custom request': (confab) => confab.request({ method: 'GET', path: '/api/v2/public/tags' }),
};

const thrownBy = (call: unknown) =>
  Promise.resolve(call).then(
    () => undefined,
    (error: unknown) => error,
  );

test.each(Object.entries(places))(
  'a control-flow error of a framework, which has a digest, is rethrown unchanged: from %s',
  async (_, optionsOf) => {
    const clock = createTestClock();
    const error = steering();
    const thrown = vi.fn<() => never>(() => {
      throw error;
    });
    const confab = clientWith({ clock, fetch: ok, ...optionsOf(thrown), logger: {} });
    expect(await thrownBy(confab.leads.get(ids.lead))).toBe(error);
    expect(thrown).toHaveBeenCalledTimes(1);
    expect(clock.waits).toEqual([]);
    expect(error).toEqual(steering());
    expect(confab.rateLimit.inFlight).toBe(0);
  },
);

test.each(Object.entries(ways))('%s rethrows a control-flow error, without a retry', async (_, call) => {
  const error = steering();
  const fetch = vi.fn(() => Promise.reject(error));
  const confab = clientWith({ clock: createTestClock(), fetch, concurrency: 1 });
  expect(await thrownBy(call(confab))).toBe(error);
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('leads.ensure rethrows the control-flow error of a framework, which may be any object of any realm', async () => {
  const thrown = { digest: 'NEXT_REDIRECT;replace;/login;307;' };
  const fetch: ClientOptions['fetch'] = async (_, { method }) => {
    if (method === 'GET') {
      throw thrown;
    }
    return Response.json({ success: false, error: 'There is one', code: 'ANY' }, { status: 409 });
  };
  const confab = clientWith({ clock: createTestClock(), fetch });
  expect(await thrownBy(confab.leads.ensure({ phone: lead.phone }))).toBe(thrown);
});

test('a custom request rethrows the control-flow error of a framework from its schema', async () => {
  const error = steering();
  const validate = () => {
    throw error;
  };
  const schema = { '~standard': { version: 1, vendor: 'test', validate } } as const;
  const call = clientWith({ fetch: ok }).request({ method: 'GET', path: '/api/v2/public/tags', schema });
  expect(await thrownBy(call)).toBe(error);
});

test('a call that is aborted rejects with the reason, not with a control-flow error that the abort caused', async () => {
  const controller = new AbortController();
  const fetch = async () => {
    controller.abort('enough');
    throw steering();
  };
  const call = clientWith({ fetch }).leads.get(ids.lead, { signal: controller.signal });
  expect(await thrownBy(call)).toBe('enough');
});

test('an error is control flow only if its digest is a readable string and it does not contain the key', async () => {
  for (const digest of [
    { value: 5 },
    { value: 'DIGEST' },
    {
      get: () => {
        throw new Error('no');
      },
    },
  ]) {
    const error = Object.defineProperty(new Error(`no way for ${KEY}`), 'digest', digest);
    const call = clientWith({ retry: false, fetch: () => Promise.reject(error) }).leads.get(ids.lead);
    expect(await thrownBy(call)).toMatchObject({
      name: 'ConnectionError',
      cause: { message: 'no way for [redacted]' },
    });
  }
});

test('a call reads no `Date` of Next.js, which would end the prerendering of its page', async () => {
  const read = vi.fn(() => 0);
  const date = class extends Date {
    // Next.js installs it like this.
    static override now = function now() {
      return read();
    }.bind(null);
  };
  vi.stubGlobal('Date', date);
  try {
    const refused = () => Response.json({}, { status: 429, headers: { 'retry-after': '30' } });
    const confab = clientWith({ fetch: async () => refused(), retry: false });
    await thrownBy(confab.leads.get(ids.lead));
    expect(confab.rateLimit.pausedUntil).toBeGreaterThan(performance.timeOrigin);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(read).not.toHaveBeenCalled();
});
