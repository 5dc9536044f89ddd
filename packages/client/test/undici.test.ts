import { listen } from '@confab/internal/test-support';
import ky from 'ky';
import type { Dispatcher } from 'undici';
import { Dispatcher1Wrapper, ProxyAgent, fetch as undiciFetch } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Fetch } from '../src/index.ts';
import { ConnectionError, createClient } from '../src/index.ts';
import { kyFetch } from '../src/ky/index.ts';
import { createTestClock } from './support/clock.ts';
import { KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { startProxy } from './support/proxy.ts';

const phone = '+5511987654321';

const ways = {
  'the fetch of undici': (dispatcher: Dispatcher): Fetch => {
    const fetch = (url: string, init: RequestInit) =>
      undiciFetch(url, { ...(init as Parameters<typeof undiciFetch>[1]), dispatcher });
    return fetch as unknown as Fetch;
  },
  'a dispatcher of a ky instance': (dispatcher: Dispatcher): Fetch => {
    // Node's fetch expects a dispatcher of the version of undici that it contains.
    const options = { dispatcher: new Dispatcher1Wrapper(dispatcher) };
    return kyFetch(ky.create(options as object));
  },
};

describe.each(Object.entries(ways))('through %s', (_, fetchWith) => {
  const connect = async (proxyUrl: string, baseUrl: string) => {
    const dispatcher = new ProxyAgent({ uri: proxyUrl, proxyTunnel: true });
    onTestFinished(() => dispatcher.destroy());
    return createClient({ baseUrl, apiKey: KEY, fetch: fetchWith(dispatcher), clock: createTestClock() });
  };

  test('the client reaches the service through the tunnel of a proxy', async () => {
    const arrivals: unknown[] = [];
    const url = await listen(async (request, response) => {
      arrivals.push([request.method, request.headers['x-api-key'], (await request.toArray()).join('')]);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, data: lead }));
    });
    const proxy = await startProxy();
    const confab = await connect(proxy.url, url);

    expect(await confab.leads.get(lead.id)).toEqual(lead);
    expect(await confab.leads.create({ phone })).toEqual(lead);

    expect(arrivals).toEqual([
      ['GET', KEY, ''],
      ['POST', KEY, JSON.stringify({ phone })],
    ]);
    expect([...new Set(proxy.passed)]).toEqual([`CONNECT ${new URL(url).host}`]);
  });

  test('the error names a proxy that refuses the tunnel, and says that nothing was sent', async () => {
    const url = await listen(() => {});
    const proxy = await startProxy({ refuse: true });
    const confab = await connect(proxy.url, url);

    const error = await errorOf(confab.leads.create({ phone }), ConnectionError);

    expect(error.message).toMatch(
      new RegExp(`^leads\\.create was not sent: the proxy did not connect to ${url} \\(.*\\(407\\)`),
    );
    expect(error).toMatchObject({ attempts: 4 });
    expect(error.message).not.toContain(KEY);
  });
});
