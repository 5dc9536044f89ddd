import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { startInProcess } from '../support/command.ts';
import { start } from '../support/serving.ts';

const LEADS = '/api/v2/public/leads';
const TOKEN = 'hush-hush/t+ken_0123456789';
const headers = { 'x-admin-token': TOKEN };

const opened = async () => {
  const service = await start({ adminToken: TOKEN });
  const send = (target: string, body?: string) =>
    fetch(service.server.url + target, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { 'x-api-key': service.mock.apiKey },
    });
  return { ...service, send };
};

test.each<[string, string, string | undefined]>([
  ['the query, escaped', `${LEADS}?key=${encodeURIComponent(TOKEN)}&limit=1`, undefined],
  ['the path', `${LEADS}/${encodeURIComponent(TOKEN)}`, undefined],
  ['a field of the body', LEADS, JSON.stringify({ displayName: `it is ${TOKEN}`, list: [{ [TOKEN]: 1 }] })],
  ['a body that is not JSON', LEADS, `key=${TOKEN}&x=1`],
  ['a body, at the place where it is cut', LEADS, `${'x'.repeat(4_080)}${TOKEN}`],
])('the request log does not show the admin token in %s', async (_, target, body) => {
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
    expect(text).not.toMatch(/ush-hush|ken_|0123456789|aHVzaC1odXNo|MDEyMzQ1Njc4/);
  }
});

test('the request log of a world does not show the admin token, and is not changed otherwise', async () => {
  const service = await opened();
  const { data } = await service.control('POST', 'worlds', {}, headers);
  const world = data as { baseUrl: string; apiKey: string };
  await fetch(`${world.baseUrl}${LEADS}?search=short%20confab%2B1&token=${TOKEN}`);
  const requests = await (await fetch(`${world.baseUrl}/__mock/requests`, { headers })).text();
  expect(requests).toContain('"search":"search=short%20confab%2B1&token=[redacted]"');
});

test('the lines of confab-mock do not show the admin token in a query', async () => {
  const { url, call, lines } = await startInProcess('--clock', 'virtual', '--admin-token', TOKEN);
  await call(`${LEADS}?key=${TOKEN}`);
  await fetch(`${url}/__mock/requests?token=${TOKEN}`);
  await eventually(() => expect(lines()).toHaveLength(2));
  expect(lines().join('')).toContain(`GET ${LEADS}?key=[redacted]`);
  expect(lines().join('')).toContain('401 GET /__mock/requests?token=[redacted]');
});
