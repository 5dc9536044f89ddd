import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { startInProcess } from '../support/command.ts';
import { start } from '../support/serving.ts';

const LEADS = '/api/v2/public/leads';
const KEY = 'confab_live_a/b+c_0123456789';
const TOKEN = 'hush-hush-token';
const headers = { 'x-admin-token': TOKEN };

const opened = async () => {
  const service = await start({ adminToken: TOKEN }, { keys: [{ key: KEY }] });
  const send = (target: string, body?: string) =>
    fetch(service.server.url + target, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { 'x-api-key': service.mock.apiKey },
    });
  return { ...service, send };
};

test.each<[string, string, string | undefined]>([
  ['the query', `${LEADS}?api_key=${KEY}`, undefined],
  ['the query, escaped', `${LEADS}?key=${encodeURIComponent(KEY)}&limit=1`, undefined],
  ['the query, in base64', `${LEADS}?basic=${Buffer.from(`user:${KEY}`).toString('base64url')}`, undefined],
  ['the path', `${LEADS}/${encodeURIComponent(KEY)}`, undefined],
  ['a field of the body', LEADS, JSON.stringify({ displayName: `my key is ${KEY}`, list: [{ [KEY]: 1 }] })],
  ['the body as JSON of PHP', LEADS, JSON.stringify({ key: KEY }).replaceAll('/', '\\/')],
  ['the body, escaped', LEADS, `{"key":"${KEY.replace('c', '\\u0063')}"}`],
  ['a body that is no JSON', LEADS, `key=${KEY}&x=1`],
])('a key in %s is not in the log of requests', async (_, target, body) => {
  const service = await opened();
  const { mock, server, send } = service;
  const events = await fetch(`${server.url}/__mock/events`, { headers });
  await send(target, body);
  const listed = await service.control('GET', 'requests', undefined, headers);
  const reader = events.body?.getReader();
  let event = '';
  while (!event.includes('event: request')) {
    event += new TextDecoder().decode((await reader?.read())?.value);
  }
  await reader?.cancel();
  for (const text of [JSON.stringify(mock.requests.all), JSON.stringify(listed), event]) {
    expect(text).toContain('[redacted]');
    expect(text).not.toMatch(/onfab_live_a|0123456789|29uZmFiX2xpdmVf|MDEyMzQ1Njc4/);
  }
});

test('the admin token, a key that was created later, and the key of a world are not in the log either', async () => {
  const service = await opened();
  const { mock, send } = service;
  const { key } = mock.keys.create();
  await send(`${LEADS}?token=${TOKEN}`);
  await send(`${LEADS}?key=${key}`);
  const { data } = await service.control('POST', 'worlds', {}, headers);
  const world = data as { baseUrl: string; apiKey: string };
  await fetch(`${world.baseUrl}${LEADS}?key=${world.apiKey}&token=${TOKEN}`);
  const requests = await (await fetch(`${world.baseUrl}/__mock/requests`, { headers })).text();
  expect(mock.requests.all.map(({ search }) => search)).toEqual(['token=[redacted]', 'key=[redacted]']);
  expect(requests).toContain('"search":"key=[redacted]&token=[redacted]"');
});

test('a key is found in escaped texts, and a request without one is logged as it was sent', async () => {
  const mock = createMock({ keys: [{ key: 'short' }, { key: '/+/+/+/+secret' }] });
  await mock.fetch(`${mock.baseUrl}${LEADS}?key=${encodeURIComponent('/+/+/+/+secret')}`);
  await mock.fetch(`${mock.baseUrl}${LEADS}?search=short%20confab%2B1`);
  await mock.fetch(`${mock.baseUrl}${LEADS}`, { method: 'POST', body: '{"note":"confab_li\\u0076e \\/ x"}' });
  expect(mock.requests.all).toMatchObject([
    { search: 'key=[redacted]', query: { key: '[redacted]' } },
    { search: 'search=short%20confab%2B1', query: { search: 'short confab+1' } },
    { body: { note: 'confab_live / x' } },
  ]);
});

test('the log of the command shows no key, wherever it was sent', async () => {
  const { url, call, lines, key } = await startInProcess('--clock', 'virtual', '--admin-token', TOKEN);
  await call(`${LEADS}?key=${key}`);
  await fetch(`${url}/__mock/requests?key=${key}&token=${TOKEN}`);
  await fetch(`${url}/__mock/requests?basic=${Buffer.from(`user:${key}`).toString('base64url')}`);
  await eventually(() => expect(lines()).toHaveLength(3));
  expect(lines().join('')).toContain(`GET ${LEADS}?key=[redacted]`);
  expect(lines().join('')).toContain('401 GET /__mock/requests?key=[redacted]&token=[redacted]');
  expect(lines()[2]).toMatch(/requests\?basic=\w{0,9}\[redacted\]/);
});
