import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMock } from '@confab/mock';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from '../src/express-deliveries.ts';

test('the app prints a duplicate once, and refuses a forged delivery', async () => {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  const error = vi.spyOn(console, 'error').mockReturnValue();
  const server = createApp('whsec_test').listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');

  const mock = createMock();
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/webhooks`;
  mock.webhooks.add({ url, secret: 'whsec_test', idHeader: 'x-delivery-id', retries: [1_000] });

  mock.webhooks.deliveryFaults.once({ copies: 2 });
  const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  expect(log.mock.calls).toEqual([[conversation.id, 'Hello']]);

  mock.webhooks.deliveryFaults.once({ signature: 'wrong' });
  await mock.inbound({ phone: '+5511987654321', body: 'Forged' });
  await mock.webhooks.flush();
  expect(mock.webhooks.deliveries.map(({ state }) => state)).toEqual(['delivered', 'delivered', 'failed']);
  expect(log).toHaveBeenCalledTimes(1);
  expect(error.mock.calls[0]?.[0]).toBe('SIGNATURE_MISMATCH');
});
