import type { Mock } from '@confab/mock';
import { createMock } from '@confab/mock';
import type { MessageCreated } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { setupWorker } from 'msw/browser';

const SECRET = 'whsec_of_this_page_only';

/** The service, running inside this page. */
export interface Service {
  readonly mock: Mock;
  /** Calls the handler with each message, inbound or outbound. */
  onMessage(handler: (message: MessageCreated) => void): void;
}

/** Starts the service. A service worker responds to the page's requests, and webhook deliveries stay in the page. */
export const startService = async (): Promise<Service> => {
  const mock = createMock({ data: 'demo', clock: 'system' });
  await setupWorker(...mock.handlers).start({ onUnhandledFrame: 'bypass', quiet: true });

  const webhooks = createWebhooks({ secret: SECRET, signature: { header: 'x-webhook-signature' } });
  mock.webhooks.add({ url: `${location.origin}/webhooks`, secret: SECRET, fetch: webhooks.fetch });
  return {
    mock,
    onMessage: (handler) => {
      webhooks.on('message.created', ({ data }) => handler(data));
    },
  };
};
