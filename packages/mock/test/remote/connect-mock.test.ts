import type { ServerResponse } from 'node:http';
import { listen } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import { connectMock } from '../../src/remote/index.ts';
import { receiver } from '../support/receiver.ts';
import { start } from '../support/serving.ts';

const refusalOf = (url: unknown, options?: object) =>
  connectMock(url as string, options).catch((error: unknown) => error);

test('a server that accepts the connection and never responds, or never to the end, ends the call in time', async () => {
  for (const listener of [
    () => {},
    (_: unknown, response: ServerResponse) => void response.write('{"success":'),
  ]) {
    const silent = await listen(listener);
    expect(await refusalOf(silent, { timeoutMs: 20 })).toMatchObject({
      code: 'REMOTE_UNREACHABLE',
      message: `GET ${silent}/__mock/info did not complete within 20 ms. Check that the mock is running, or raise the \`timeoutMs\` of connectMock().`,
    });
  }
});

test('options are checked: timeoutMs may be infinite, and anything but milliseconds is refused', async () => {
  const service = await start();
  const { url } = service.server;
  expect(await connectMock(url, { timeoutMs: Number.POSITIVE_INFINITY })).toMatchObject({ baseUrl: url });
  expect(await refusalOf(url, { adminTokn: 'x' })).toMatchObject({
    message: expect.stringContaining('Did you mean `adminToken`?'),
  });
  for (const timeoutMs of [0, -1, Number.NaN, 2 ** 31, '5']) {
    expect(await refusalOf(url, { timeoutMs })).toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: `\`timeoutMs\` must be milliseconds (more than 0, up to 2000000000), or Infinity, got ${timeoutMs === '5' ? '"5"' : timeoutMs}`,
    });
  }
});

test('no message contains the user name or the password of a URL', async () => {
  for (const url of [
    'http://eve:hush@127.0.0.1:4010',
    'http://eve:hush@127.0.0.1:4010/?x=1',
    'http://eve:hush@',
    'eve:hush@127.0.0.1:4010',
    'ftp://eve:hush@127.0.0.1',
    'http://eve:h%40ush@127.0.0.1#here',
  ]) {
    const error = await refusalOf(url);
    expect([url, error]).toMatchObject([url, { code: 'INVALID_ARGUMENT' }]);
    expect(String(error)).not.toMatch(/eve|ush/);
    expect(String(error)).toContain('connectMock() must be called with');
  }
});

test('flush() fails once it takes longer than timeoutMs, and says what is pending', async () => {
  const service = await start({}, { clock: 'system' });
  const { events: _, ...endpoint } = receiver(() => 503);
  service.mock.webhooks.add({ ...endpoint, retries: [600_000] });
  const patient = await connectMock(service.server.url);
  await patient.webhooks.flush();
  service.mock.webhooks.emit('order.paid', {});
  const hasty = await connectMock(service.server.url, { timeoutMs: 200 });
  await expect(hasty.webhooks.flush()).rejects.toMatchObject({
    code: 'DELIVERIES_PENDING',
    message: expect.stringMatching(/^1 delivery is still pending after 200 ms/),
  });
});
