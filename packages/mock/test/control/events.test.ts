import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { eventually } from '@confab/internal/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { streamEvents } from '../../src/control/events.ts';
import { worldOf } from '../../src/world/world.ts';
import { keeper } from '../support/receiver.ts';
import { makeWorld, start } from '../support/serving.ts';

interface Heard {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Listens to the events of a mock. */
const listen = async (baseUrl: string, headers: Readonly<Record<string, string>> = {}) => {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(`${baseUrl}/__mock/events`, { headers, signal: leaving.signal });
  const heard: Heard[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text = `${text}${chunk}`.replace(/^event: (.*)\ndata: (.*)\n\n/gm, (_, type, data) => {
        heard.push({ type, data: JSON.parse(data) });
        return '';
      });
    }
  };
  const ended = read();
  ended.catch(() => {});
  return { response, heard, ended, leave: () => leaving.abort() };
};

const createLead = ({ mock, server }: Awaited<ReturnType<typeof start>>, notes?: string) =>
  fetch(`${server.url}/api/v2/public/leads`, {
    method: 'POST',
    headers: { 'x-api-key': mock.apiKey },
    body: JSON.stringify({ phone: '+5511987654321', notes }),
  });

test('GET /__mock/events streams requests, deliveries, changed rows, the time and resets', async () => {
  const service = await start();
  const { mock, server, control } = service;
  mock.webhooks.add(keeper().endpoint);
  const { response, heard } = await listen(server.url);
  expect(response.headers.get('content-type')).toBe('text/event-stream');

  await createLead(service);
  const [lead] = mock.leads.find();
  await eventually(() =>
    expect(heard).toEqual([
      { type: 'rows', data: { collection: 'leads', ids: [lead?.id], more: false } },
      { type: 'request', data: JSON.parse(JSON.stringify(mock.requests.all[0])) },
    ]),
  );

  heard.length = 0;
  mock.webhooks.emit('order.paid', { id: 1 });
  await mock.webhooks.flush();
  const states = () => heard.map(({ type, data }) => `${type} ${data.state}`);
  await eventually(() => expect(states()).toEqual(['delivery pending', 'delivery delivered']));

  heard.length = 0;
  await mock.clock.advance(1_000);
  const now = new Date(mock.clock.now()).toISOString();
  await eventually(() => expect(heard.at(-1)).toEqual({ type: 'clock', data: { now } }));
  await control('POST', 'reset');
  await eventually(() => expect(heard.map(({ type }) => type)).toContain('restored'));
});

test('simultaneous changes of rows are one event, with the first hundred ids, each of which occurs once', async () => {
  const { mock, server } = await start();
  const { heard } = await listen(server.url);
  const ids = Array.from({ length: 150 }, () => mock.leads.create({}).id);
  const [id = ''] = ids;
  const changed = (data: object) => [{ type: 'rows', data: { collection: 'leads', ...data } }];
  await eventually(() => expect(heard).toEqual(changed({ ids: ids.slice(0, 100), more: true })));

  heard.length = 0;
  for (let times = 0; times < 101; times += 1) {
    mock.leads.update(id, { displayName: String(times) });
  }
  await eventually(() => expect(heard).toEqual(changed({ ids: [id], more: false })));
});

test('the inspector gets the kind of an event at once, and each kind once for a burst of events', async () => {
  const { mock, server } = await start();
  const { heard } = await listen(server.url, { 'x-confab-inspector': '1' });
  const ask = () => fetch(`${server.url}/api/v2/public/agents`, { headers: { 'x-api-key': mock.apiKey } });
  await ask();
  const request = { type: 'request', data: {} };
  await eventually(() => expect(heard).toEqual([request]));
  heard.length = 0;
  const began = performance.now();
  for (let sent = 0; sent < 200; sent += 1) {
    await ask();
  }
  // The last event is reported too, after a pause.
  mock.leads.create({});
  await eventually(() => expect(heard).toContainEqual({ type: 'rows', data: {} }));
  expect(heard.length).toBeLessThanOrEqual(3 + (performance.now() - began) / 100);
});

test('an event whose body is long is sent without it', async () => {
  const service = await start();
  const { mock, server } = service;
  mock.webhooks.add(keeper().endpoint);
  const { heard } = await listen(server.url);
  await createLead(service, 'x'.repeat(100_000));
  mock.webhooks.emit('order.paid', { text: 'x'.repeat(100_000) });
  const both = new Set(['request', 'rows', 'delivery']);
  await eventually(() => expect(new Set(heard.map(({ type }) => type))).toEqual(both));
  for (const { data } of heard) {
    expect(data).not.toHaveProperty('body');
  }
});

/** A response whose caller reads nothing. */
const unread = () => {
  const outgoing = new Writable({ write() {} });
  return Object.assign(outgoing, {
    req: { method: 'GET', headers: {} },
    writeHead: () => outgoing,
  }) as unknown as ServerResponse;
};

test('a listener that does not read is disconnected, and other listeners go on', async () => {
  const { mock, server } = await start();
  const { heard } = await listen(server.url);
  const world = worldOf.get(mock);
  const outgoing = unread();
  streamEvents(world!)(outgoing);
  let most = 0;
  for (let sent = 0; sent < 40 && !outgoing.destroyed; sent += 1) {
    world?.watchers.report('request', { sent, body: 'x'.repeat(60_000) });
    await eventually(() => expect(heard).toHaveLength(sent + 1));
    most = Math.max(most, outgoing.writableLength);
  }
  expect(outgoing.destroyed).toBe(true);
  // The limit of 1 MiB, and the event that exceeded it.
  expect(most).toBeLessThan(1024 * 1024 + 64 * 1024);
  world?.watchers.report('request', {});
  const count = heard.length;
  await eventually(() => expect(heard).toHaveLength(count + 1));
});

test('the event stream ends when the mock or the server is closed, and at once for a HEAD', async () => {
  const { mock, server, control } = await start();
  const head = await fetch(`${server.url}/__mock/events`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const { baseUrl, id } = await makeWorld(server);
  const [world, root] = [await listen(baseUrl), await listen(server.url)];
  await control('DELETE', `worlds/${id}`);
  await expect(world.ended).rejects.toThrow();
  await mock.close();
  await expect(root.ended).rejects.toThrow();
});

test('a world with a listener counts as used, and its events are its own', async () => {
  const { mock, server, control } = await start();
  const { baseUrl, id } = await makeWorld(server);
  const { heard } = await listen(baseUrl);
  mock.leads.create({});
  await fetch(`${baseUrl}/api/v2/public/agents`);
  await eventually(() => expect(heard.map(({ type }) => type)).toEqual(['request']));
  expect((await control('GET', 'worlds')).data).toMatchObject([{ id, busy: 1 }]);
});

test('a server has at most 100 listeners, including those of its worlds, until one of them leaves', async () => {
  const { server, control } = await start();
  const { baseUrl } = await makeWorld(server);
  const [first] = await Promise.all(
    Array.from({ length: 100 }, (_, at) => listen(at % 2 === 0 ? server.url : baseUrl)),
  );
  const refused = await fetch(`${baseUrl}/__mock/events`);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  const { code, error } = (await refused.json()) as { code: string; error: string };
  expect(code).toBe('SERVICE_UNAVAILABLE');
  expect(error).toContain('are handling too many event streams (limit 100) at once. Try again later.');
  // Everything else still works.
  expect((await control('GET', 'state')).status).toBe(200);
  first?.leave();
  await eventually(async () => expect((await listen(server.url)).response.status).toBe(200));
});
