import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createMock } from '@confab/mock';

/**
 * Serves the API from the mock, and beside it, so that a browser needs no other origin, a page and the place where
 * the page tells what came of it.
 *
 * @param script What the page runs.
 */
export const serveApi = async (script: string) => {
  const mock = createMock({ data: 'demo', clock: 'system' });
  const slowKeys = () => mock.keys.create({ rateLimit: { requests: 2, perMs: 1_000 } }).key;
  let tell = (_outcome: string) => {};

  const server = createServer(async (request, response) => {
    const { url = '/', method = 'GET', headers } = request;
    const body = await text(request);
    if (url === '/') {
      return response
        .setHeader('content-type', 'text/html')
        .end('<script type="module" src="/page.js"></script>');
    }
    if (url === '/page.js') {
      return response.setHeader('content-type', 'text/javascript').end(script);
    }
    if (url === '/surroundings') {
      return response.end(JSON.stringify({ apiKey: mock.apiKey, slowKey: slowKeys() }));
    }
    if (url === '/outcome') {
      tell(body);
      return response.end();
    }
    const answer = await mock.fetch(mock.baseUrl + url, {
      method,
      headers: headers as Record<string, string>,
      ...(body === '' ? {} : { body }),
    });
    return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: mock.apiKey,
    newSlowKey: slowKeys,
    /** Resolves with what the page tells next. */
    outcome: () =>
      new Promise<string>((resolve) => {
        tell = resolve;
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
