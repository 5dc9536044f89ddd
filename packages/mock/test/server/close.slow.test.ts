import { expect, test } from 'vitest';
import { MockClosedError } from '../../src/index.ts';
import { serve } from '../../src/server/index.ts';
import { open, PHONE } from '../support/hosts.ts';
import { runProgram } from '../support/program.ts';
import { secret } from '../support/receiver.ts';

/** Starts everything that could keep a process alive: deliveries that wait, hang and are held up, requests, sleeps, a server. */
const BUSY = `
const { createServer } = await import('node:http');
const receiver = createServer(() => {}).listen(0, '127.0.0.1');
receiver.unref();
receiver.on('connection', (socket) => socket.unref());
await new Promise((resolve) => receiver.once('listening', resolve));
const mock = createMock({ clock: 'system' });
mock.webhooks.add({ url: 'http://127.0.0.1:' + receiver.address().port, secret: 'whsec_0123456789', concurrency: 1 });
mock.webhooks.add({ url: 'http://127.0.0.1:1', secret: 'whsec_0123456789' });
mock.webhooks.add({ url: 'https://receiver.test', secret: 'whsec_0123456789', fetch: () => new Promise(() => {}) });
const server = await serve(mock);
const write = () => mock.inbound({ phone: '+5511987654321', body: 'Hello' });
await write();
await write();
while (mock.webhooks.deliveries.every(({ attempts }) => attempts.length === 0)) await new Promise(setImmediate);
const states = () => [...new Set(mock.webhooks.deliveries.map(({ state }) => state))].join();
`;

test('after serve().close(), unfinished deliveries do not keep the process alive', async () => {
  const { code, output, ms } = await runProgram(
    `${BUSY}
await server.close();
process.stdout.write(states() + ' ');
await mock.webhooks.flush();
await write();
process.stdout.write(states());
process.exit(0);`,
  );
  expect([code, output]).toEqual([0, 'failed failed,pending']);
  const ended = await runProgram(`${BUSY} await server.close();`);
  expect(ended).toMatchObject({ code: 0, output: '' });
  expect(Math.max(ms, ended.ms)).toBeLessThan(9_000);
});

test('after mock.close(), nothing keeps the process alive: no server, delivery, request or sleep', async () => {
  const { code, output, ms } = await runProgram(
    `${BUSY}
mock.faults.always('*', { network: 'hang' });
const said = [];
const keep = (error) => said.push(error.name);
fetch(server.url + '/api/v2/public/agents').catch(keep);
mock.fetch(mock.baseUrl + '/api/v2/public/agents').catch(keep);
mock.clock.sleep(3_600_000).catch(keep);
mock.clock.sleep(Number.MAX_SAFE_INTEGER).catch(keep);
while (mock.requests.length < 2) await new Promise(setImmediate);
await mock.close();
process.stdout.write(states() + ' ');
process.on('exit', () => process.stdout.write(said.toSorted().join()));`,
  );
  expect([code, output]).toEqual([0, 'failed MockClosedError,MockClosedError,MockClosedError,TypeError']);
  expect(ms).toBeLessThan(9_000);
});

test.each(['virtual', 'system'] as const)(
  'after mock.close(), nothing can be started on the %s clock',
  async (clock) => {
    const { mock } = open({ clock });
    const lead = mock.leads.create({ phone: PHONE });
    const snapshot = mock.snapshot();
    const asleep = [
      mock.clock.sleep(60_000, undefined, 'timeout'),
      mock.clock.sleep(Number.MAX_SAFE_INTEGER),
    ];
    void Promise.allSettled(asleep);
    await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`);
    await Promise.all([mock.close(), mock.close()]);
    for (const refused of [
      ...asleep,
      mock.clock.sleep(1),
      mock.fetch(`${mock.baseUrl}/api/v2/public/agents`),
      mock.inbound({ phone: PHONE, body: 'Hello' }),
      serve(mock),
      (async () => mock.webhooks.emit('event', {}))(),
      (async () => mock.restore(snapshot))(),
      (async () => mock.reset())(),
      ...(clock === 'virtual' ? [mock.clock.advance(1), mock.clock.set('2030-01-01')] : []),
    ]) {
      await expect(refused).rejects.toThrow(MockClosedError);
    }
    await expect(mock.inbound({ phone: PHONE, body: 'Hi' })).rejects.toThrow(
      'mock.inbound() was called after',
    );
    await expect(mock.clock.sleep(1)).rejects.toThrow(
      /^A client or a test waited on the clock after mock\.close\(\)\. .*createMock\(\)\.$/,
    );
    // The log can still be read, and rows can be edited.
    expect(mock.leads.get(lead.id)?.phone).toBe(PHONE);
    mock.leads.update(lead.id, { status: 'lost' });
    expect([mock.requests.length, mock.webhooks.deliveries]).toEqual([1, []]);
    await mock.webhooks.flush();
  },
);

test('a mock that is served twice continues to deliver until its last server is closed', async () => {
  const { mock } = open({ clock: 'system' });
  mock.webhooks.add({ url: 'https://receiver.test', secret, fetch: () => new Promise(() => {}) });
  const [one, two] = [await serve(mock), await serve(mock)];
  mock.webhooks.emit('event', {});
  await one.close();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'pending' }]);
  await two.close();
  expect(mock.webhooks.deliveries).toMatchObject([{ state: 'failed', attempts: [] }]);
});
