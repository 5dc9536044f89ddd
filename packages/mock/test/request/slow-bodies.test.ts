import { eventually } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { hosts } from '../support/hosts.ts';
import { movedAlone } from '../support/real-time.ts';

test.each(hosts)(
  'bytesPerSecond sends the body at that speed, after delayMs, through $name',
  async (host) => {
    const { mock, send } = await host.open();
    mock.faults.once('agents.list', { delayMs: 5_000, bytesPerSecond: 1_000, body: 'x'.repeat(20_000) });
    const began = mock.clock.now();
    await expect(send('agents.list')).rejects.toThrow(SyntaxError);
    expect(mock.clock.now() - began).toBe(25_000);
    // The next request on the connection is not slow.
    expect((await send('agents.list')).status).toBe(200);
    expect(mock.clock.now() - began).toBe(25_000);
  },
);

test.each(hosts)(
  'a slow body can be cut, and ends when its reader aborts or the mock is reset, through $name',
  async (host) => {
    const { mock, send } = await host.open();
    const began = mock.clock.now();
    mock.faults.once('agents.list', { bytesPerSecond: 100, body: 'x'.repeat(2_000), network: 'truncate' });
    await expect(send('agents.list')).rejects.toThrow();
    expect(mock.clock.now() - began).toBe(10_000);

    for (const end of ['abort', 'reset'] as const) {
      mock.faults.once('agents.list', { bytesPerSecond: 1, network: 'stall' });
      const controller = new AbortController();
      const reading = send('agents.list', { signal: controller.signal });
      reading.catch(() => {});
      await eventually(() => expect(mock.faults.planned).toEqual([]));
      if (end === 'abort') {
        controller.abort(new Error('enough'));
      } else {
        mock.reset();
      }
      await expect(reading).rejects.toThrow(end === 'abort' ? 'enough' : TypeError);
      // After a reset has set the clock back, the rest of the body must not move it.
      expect(mock.clock.now() - began).toEqual(end === 'abort' ? expect.any(Number) : 0);
      await eventually(async () => expect(await movedAlone(mock)).toBe(0));
    }
  },
);

test('a slow body arrives byte by byte, or in 100 pieces if it is longer', async () => {
  const mock = createMock();
  const read = async (body: string, bytesPerSecond: number) => {
    mock.faults.once('agents.list', { body, bytesPerSecond });
    const { body: stream } = await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`);
    const began = mock.clock.now();
    const pieces: [bytes: number, at: number][] = [];
    for await (const { length } of stream!) {
      pieces.push([length, mock.clock.now() - began]);
    }
    return pieces;
  };
  expect(await read('Olá', 2)).toEqual([
    [1, 500],
    [1, 1_000],
    [1, 1_500],
    [1, 2_000],
  ]);
  const long = await read('x'.repeat(12_345), 7);
  expect([long.length, long.at(-1)?.[1]]).toEqual([100, Math.ceil((12_345 / 7) * 1_000)]);
  expect(await read('quick', 1_000_000)).toEqual([[5, 1]]);
});

test('a response with an empty body takes no time', async () => {
  const mock = createMock();
  mock.faults.once('agents.list', { status: 204, body: '' });
  expect((await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`)).status).toBe(204);
  mock.faults.once('agents.list', { body: '', bytesPerSecond: 1 });
  const response = await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`);
  expect(await response.text()).toBe('');
  expect(await movedAlone(mock)).toBe(0);
});

test('a slow body that nobody reads takes no time', async () => {
  const mock = createMock();
  mock.faults.once('agents.list', { bytesPerSecond: 1, body: 'x'.repeat(20_000) });
  await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`);
  expect(await movedAlone(mock)).toBe(0);
});
