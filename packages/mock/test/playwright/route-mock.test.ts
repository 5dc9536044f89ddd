import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { createMock } from '../../src/index.ts';
import type { RoutedRoute, RouteTarget } from '../../src/playwright/route-mock.ts';
import { routeMock } from '../../src/playwright/route-mock.ts';
import { runProgram } from '../support/program.ts';

/** Routes the requests of a page to a mock with this base URL, and returns the outcome of each request. */
const page = async (baseUrl: string) => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  onTestFinished(() => warn.mockRestore());
  const mock = createMock({ baseUrl });
  const route = vi.fn<RouteTarget['route']>();
  await routeMock({ route, on: () => {} }, mock);
  const [isOfMock, handle] = route.mock.lastCall!;

  const open = async (url: string, method = 'GET', headers = {}) => {
    const allHeaders = async () => ({ 'x-api-key': mock.apiKey, ...headers });
    const request = { url: () => url, method: () => method, allHeaders, postDataBuffer: () => null };
    const [fulfill, abort] = [vi.fn<RoutedRoute['fulfill']>(), vi.fn(async () => {})];
    if (isOfMock(new URL(url))) {
      await handle({ request: () => request, fulfill, abort });
    }
    return { response: fulfill.mock.lastCall?.[0], aborted: abort.mock.lastCall };
  };
  return { open, mock, warn };
};

test.each(['https', 'http'])(
  'with an %s base URL, requests with the other scheme do not reach the service',
  async (own) => {
    const other = own === 'https' ? 'http' : 'https';
    // Plain HTTP is for loopback only.
    const host = 'localhost';
    const { open, mock, warn } = await page(`${own}://${host}`);
    expect(await open(`${own}://${host}/api/v2/public/leads`)).toMatchObject({ response: { status: 200 } });
    expect(warn).not.toHaveBeenCalled();
    expect(await open(`${other}://${host}/api/v2/public/leads?key=secret`)).toEqual({
      aborted: ['connectionreset'],
    });
    expect(warn.mock.calls).toEqual([
      [
        `confab-mock: mock.fetch() handles requests to ${own}://${host}, got one to ${other}://${host}. Use mock.baseUrl as the base URL.`,
      ],
    ]);
    expect(mock.requests.length).toBe(1);
  },
);

test('routeMock leaves requests to other hosts, ports and paths alone', async () => {
  const { open, warn } = await page('https://api.example.com/base');
  for (const url of [
    'http://api.example.com.evil.test/base',
    'http://api.example.com:81/base',
    'http://api.example.com/other',
    'http://api.example.com/based',
    'https://api.example.com/other',
    'https://api.example.com/base',
    'https://api.example.com/base/',
    'https://api.example.com/base/app.js',
    'https://api.example.com/base/api/v2/publicity',
  ]) {
    expect(await open(url)).toEqual({});
  }
  expect(warn).not.toHaveBeenCalled();
});

// Playwright itself responds to the preflights of Chromium.
test('routeMock answers a preflight of Firefox or WebKit without the mock', async () => {
  const { open, mock } = await page('https://api.example.com');
  const headers = {
    // In HTTP/2, the parts of the request line look like headers.
    ':authority': 'api.example.com',
    origin: 'https://app.test',
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'x-api-key,traceparent',
  };
  const { response } = await open('https://api.example.com/api/v2/public/leads', 'OPTIONS', headers);
  expect(response?.status).toBe(204);
  expect(response?.headers).toMatchObject({
    'access-control-allow-origin': 'https://app.test',
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': expect.stringContaining('PATCH'),
    'access-control-allow-headers': 'x-api-key,traceparent',
  });
  expect(mock.requests.length).toBe(0);
});

test('routeMock can be imported without loading Playwright', async () => {
  const entry = packageJson.exports['./playwright/route']['@confab/source'];
  const { code, output } = await runProgram(
    `
    const { routeMock } = await import(${JSON.stringify(join(import.meta.dirname, '../..', entry))});
    console.log(typeof routeMock);
    `,
    `import { registerHooks } from 'node:module';
    registerHooks({
      resolve(specifier, context, next) {
        if (/playwright(-core|.test)?$/.test(specifier)) throw new Error('It is not installed');
        return next(specifier, context);
      },
    });`,
  );
  expect([code, output]).toEqual([0, 'function']);
});
