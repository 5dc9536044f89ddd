import type { Mock } from '@confab/mock';
import { createMock } from '@confab/mock';
import type { MessageCreated } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { setupWorker } from 'msw/browser';

const SECRET = 'whsec_of_this_page_only';

/** The service, inside this page. */
export interface Service {
  readonly mock: Mock;
  /** Calls back with each message, whoever wrote it. */
  onMessage(handler: (message: MessageCreated) => void): void;
}

/** Starts the service: a service worker answers what the page fetches from it, and deliveries stay in the page. */
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
