import { format } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import {
  ConfigurationError,
  ConnectionError,
  createClient,
  InvalidRequestError,
  NotFoundError,
  ServerError,
} from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { agent, ids, KEY } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { drop, failure, startServer, success } from './support/server.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('in a browser, requests have no user-agent header of the client', async () => {
  const server = await startServer(success([agent]));
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0' });
  const fetch = vi.fn(globalThis.fetch);
  await clientAt(server.url, { fetch }).agents.list();
  const [input, init] = fetch.mock.calls[0]!;
  expect(new Request(input, init).headers.get('user-agent')).toBe(null);
});

test.each<[ClientOptions, RegExp]>([
  [{}, /^confab-client\/\S+$/],
  [{ appInfo: { name: 'crm-sync', version: '1.2.0' } }, /^confab-client\/\S+ crm-sync\/1\.2\.0$/],
  [{ headers: { 'User-Agent': 'mine' } }, /^mine$/],
])(
  'the user-agent header names the client and the app, unless a header replaces it: %j',
  async (options, expected) => {
    const server = await startServer(success([agent]));
    await clientAt(server.url, { ...options }).agents.list();
    expect(server.arrivals[0]!.headers['user-agent']).toMatch(expected);
  },
);

const PRODUCT = 'must be a string of letters, digits, `.`, `_`, `+`, `~` and `-`';

test.each<[unknown, string]>([
  ['crm-sync', '`appInfo` must be an object such as { name: "crm-sync", version: "1.2.0" }, got "crm-sync".'],
  [{ name: 'crm-sync', version: 2 }, `\`appInfo.version\` ${PRODUCT}, got 2.`],
  [{ name: '@acme/crm', version: '1' }, `\`appInfo.name\` ${PRODUCT}, got "@acme/crm".`],
  [{ name: 'a', version: '1\r\nx-api-key: y' }, `\`appInfo.version\` ${PRODUCT}, got "1\\r\\nx-api-key: y".`],
  [{ name: 'a', verison: '1' }, 'Unknown appInfo field `verison`. Did you mean `version`?'],
])('createClient refuses the appInfo %j', (appInfo, message) => {
  const make = () => clientAt('https://x.test', { appInfo: appInfo as never });
  expect(make).toThrow(new ConfigurationError(message));
});

/** Collects what the console would write. */
const captureConsole = () => {
  const lines: { readonly method: string; readonly message: string }[] = [];
  for (const method of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    vi.spyOn(console, method).mockImplementation((...texts) => {
      lines.push({ method, message: format(...texts) });
    });
  }
  return lines;
};

test.each([
  ['debug', ['sending', 'agents.list', 'sending', 'agents.list', 'agents.list']],
  ['info', ['agents.list']],
  ['warn', []],
  ['', []],
])('CONFAB_LOG=%s writes %j to standard error', async (level, expected) => {
  vi.stubEnv('CONFAB_LOG', level);
  const lines = captureConsole();
  const server = await startServer(success([agent]), failure(500, 'BROKEN', 'Ann is gone'));
  const { agents } = clientAt(server.url, { retry: false });
  await agents.list();
  await errorOf(agents.list(), ServerError);
  expect(lines.map(({ message }) => message.split(' ')[1])).toEqual(expected);
  // `console.debug` and `console.info` would write to standard output.
  expect(lines.every(({ method }) => method === 'warn')).toBe(true);
  expect(lines.at(-1)?.message ?? '').toMatch(
    /^$|^confab: agents\.list failed after \d+ ms \(attempts: 1\): ServerError BROKEN \{"callId":.*\}$/,
  );
  expect(lines.filter(({ message }) => message.includes('\n'))).toEqual([]);
});

test.each(['debgu', 'WARN', '1', KEY])('CONFAB_LOG=%s causes one warning in a process', (level) => {
  vi.stubEnv('CONFAB_LOG', level);
  const lines = captureConsole();
  clientWith();
  clientWith();
  const message = 'confab: CONFAB_LOG must be debug, info or warn.';
  expect(lines).toEqual([{ method: 'warn', message }]);
});

test('a failed call is logged without the message of its error, and an aborted one is not', async () => {
  const info = vi.fn();
  const server = await startServer(failure(404, 'NOT_FOUND', 'No lead has +44 20 7946 0958'));
  const { leads } = clientAt(server.url, { logger: { info } });
  await errorOf(leads.get(ids.lead), NotFoundError);
  await errorOf(leads.get('+44 20 7946 0958'), InvalidRequestError);
  await leads.get(ids.lead, { signal: AbortSignal.abort() }).catch(() => {});
  expect(info.mock.calls.map(([message]) => message)).toEqual([
    expect.stringMatching(
      /^confab: leads\.get failed after \d+ ms \(attempts: 1\): NotFoundError NOT_FOUND$/,
    ),
    expect.stringMatching(
      /^confab: leads\.get failed after \d+ ms \(attempts: 0\): InvalidRequestError INVALID_REQUEST$/,
    ),
  ]);
  expect(info.mock.calls[0]?.[1]).toMatchObject({
    operation: 'leads.get',
    error: 'NotFoundError',
    code: 'NOT_FOUND',
  });
  expect(JSON.stringify(info.mock.calls)).not.toContain('7946');
});

test('the option `logger` overrides CONFAB_LOG', async () => {
  vi.stubEnv('CONFAB_LOG', 'debug');
  const debug = vi.spyOn(console, 'debug').mockImplementation(() => {});
  const server = await startServer(success([agent]));
  await clientAt(server.url, { logger: {} }).agents.list();
  expect(debug).not.toHaveBeenCalled();
});

test('the error of a failed fetch mentions CORS in a browser, but not elsewhere', async () => {
  const server = await startServer(drop);
  const options = { baseUrl: server.url, apiKey: KEY, retry: false, dangerouslyAllowBrowser: true } as const;
  const hint = "In a browser this may be CORS: the API must allow the page's origin.";
  const get = () => errorOf(createClient(options).leads.get(ids.lead), ConnectionError);
  expect((await get()).message).not.toContain('CORS');
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {});
  const fetch = () => Promise.reject(new TypeError('Failed to fetch'));
  const error = await errorOf(createClient({ ...options, fetch }).leads.get(ids.lead), ConnectionError);
  expect(error.message).toContain(hint);
});
