import { afterEach, expect, test, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { ConnectionError, createClient } from '../src/index.ts';
import * as elsewhere from '../src/runtime/elsewhere.ts';
import * as node from '../src/runtime/node.ts';
import { caught } from './support/caught.ts';
import { agent, ids, KEY } from './support/data.ts';
import { drop, startServer, success } from './support/server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('browsers and Workers get a function for each one that Node has', () => {
  expect(Object.keys(elsewhere).sort()).toEqual(Object.keys(node).sort());
});

test.each<[ClientOptions, RegExp]>([
  [{}, /^confab-client\/\S+$/],
  [{ appInfo: { name: 'crm-sync', version: '1.2.0' } }, /^confab-client\/\S+ crm-sync\/1\.2\.0$/],
  [{ headers: { 'User-Agent': 'mine' } }, /^mine$/],
])('with %j the user-agent is %s', async (options, expected) => {
  const server = await startServer(success([agent]));
  await createClient({ baseUrl: server.url, apiKey: KEY, ...options }).agents.list();
  expect(server.arrivals[0]!.headers['user-agent']).toMatch(expected);
});

test.each([{}, 'crm-sync', { name: 'a b', version: '1' }, { name: 'a', version: '1\r\nx-api-key: y' }])(
  'appInfo %j is refused',
  (appInfo) => {
    const make = () => createClient({ baseUrl: 'https://x.test', apiKey: KEY, appInfo: appInfo as never });
    expect(make).toThrow(/^`appInfo` must be an object such as/);
  },
);

test.each([
  ['debug', ['debug', 'debug']],
  ['info', []],
  ['', []],
  ['loud', []],
])('CONFAB_LOG=%s logs a call at the levels %j', async (level, expected) => {
  vi.stubEnv('CONFAB_LOG', level);
  const lines: string[] = [];
  for (const name of ['debug', 'info', 'warn'] as const) {
    vi.spyOn(console, name).mockImplementation((message) => {
      expect(message).toMatch(/^confab: /);
      lines.push(name);
    });
  }
  const server = await startServer(success([agent]));
  await createClient({ baseUrl: server.url, apiKey: KEY }).agents.list();
  expect(lines).toEqual(expected);
});

test('a logger that is given takes the place of CONFAB_LOG', async () => {
  vi.stubEnv('CONFAB_LOG', 'debug');
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
  const server = await startServer(success([agent]));
  await createClient({ baseUrl: server.url, apiKey: KEY, logger: {} }).agents.list();
  expect(debug).not.toHaveBeenCalled();
});

test('in a browser, a failed fetch mentions CORS; elsewhere it does not', async () => {
  const server = await startServer(drop);
  const options = { baseUrl: server.url, apiKey: KEY, retry: false, dangerouslyAllowBrowser: true } as const;
  const hint = 'In a browser this may be CORS: the API must allow the origin of the page.';
  const get = () => caught(createClient(options).leads.get(ids.lead), ConnectionError);
  expect((await get()).message).not.toContain('CORS');
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  const error = await caught(createClient({ ...options, fetch }).leads.get(ids.lead), ConnectionError);
  expect(error.message).toContain(hint);
});
