import { operations } from '@confab/client/contract';
import { eventually, listen } from '@confab/internal/test-support';
import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { expect, onTestFinished, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { delivered } from '../support/receiver.ts';

const intercept = () => {
  const mock = createMock({ strict: true });
  const server = setupServer(...mock.handlers);
  server.listen({ onUnhandledFrame: 'error' });
  onTestFinished(() => server.close());
  const get = (path: string) => fetch(`${mock.baseUrl}${path}`, { headers: { 'x-api-key': mock.apiKey } });
  return { mock, get };
};

test('with msw, an unknown path of the API returns a JSON 404', async () => {
  const other = await intercept().get('/api/v2/public/anything/else');
  expect([other.status, await other.json()]).toEqual([404, expect.objectContaining({ code: 'NOT_FOUND' })]);
});

test('a delivery reaches its receiver over the network, although msw intercepts requests', async () => {
  const { mock } = intercept();
  const url = await listen((_, outgoing) => void outgoing.end());
  expect(await delivered(mock, { url, retries: [] })).toMatchObject([{ state: 'delivered' }]);
});

test('with msw, requests to other hosts and other requests to the origin of the page pass through', async () => {
  const { handlers, baseUrl, requests } = createMock({ baseUrl: 'http://localhost:517' });
  const path = operations['agents.list'].path;
  const own = ['', '/', '/src/main.ts', '/api/v2/publicity', '/api/v1/leads', '/__mock/health'];
  for (const url of [
    `https://other.test${path}`,
    'https://other.test/',
    `${baseUrl}0${path}`,
    ...own.map((each) => baseUrl + each),
  ]) {
    expect([url, await getResponse([...handlers], new Request(url))]).toEqual([url, undefined]);
  }
  expect(requests.length).toBe(0);
});

test('with msw, an aborted request gets a network error, not an exception of the handler', async () => {
  const mock = createMock();
  mock.faults.once('agents.list', { network: 'hang' });
  const gone = new AbortController();
  const request = new Request(mock.baseUrl + operations['agents.list'].path, { signal: gone.signal });
  const response = getResponse([...mock.handlers], request);
  await eventually(() => expect(mock.requests.length).toBe(1));
  gone.abort();
  expect((await response)?.type).toBe('error');
});
