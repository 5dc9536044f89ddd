import { createClient, NotFoundError } from '@confab/client';
import { createWebhooks, sign, WebhookError } from '@confab/webhooks';

/** Where the program finds the API, and its keys. */
export interface Surroundings {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A key that may send two requests in a second. */
  readonly slowKey: string;
}

const check = (holds: boolean, what: string): void => {
  if (!holds) {
    throw new Error(`Expected that ${what}`);
  }
};

/** Uses both packages as a user would: calls, paging, a 429, a delivery. Throws if anything is wrong. */
export const program = async ({ baseUrl, apiKey, slowKey }: Surroundings): Promise<void> => {
  const options = { baseUrl, dangerouslyAllowBrowser: true };
  const confab = createClient({ ...options, apiKey });

  const [agent] = await confab.agents.list();
  check(agent !== undefined, 'there is an agent');
  const missing = await confab.leads
    .get('00000000-0000-4000-8000-000000000000')
    .catch((error: unknown) => error);
  check(missing instanceof NotFoundError, 'an unknown lead is not found');

  const leads = await confab.leads.list({ limit: 20 }).all({ concurrency: 3 });
  let iterated = 0;
  for await (const { id } of confab.leads.list({}, { prefetch: 1 })) {
    check(leads[iterated]?.id === id, 'both return the rows in the same order');
    iterated += 1;
  }
  check(iterated === 60 && leads.length === 60, 'both ways to read the list return all leads');

  const slow = createClient({ ...options, apiKey: slowKey, rateLimit: false });
  let attempts = 0;
  for (let count = 1; count <= 3; count += 1) {
    attempts = (await slow.agents.list().withResponse()).response.attempts;
  }
  check(attempts === 2, 'the third request gets a 429, waits, and succeeds');

  const signature = { header: 'x-webhook-signature' };
  const webhooks = createWebhooks({ secret: 'a secret', signature });
  const body = JSON.stringify({
    event: 'message.created',
    data: { conversationId: 'c', channel: 'chat', body: 'Olá' },
  });
  const headers = await sign(body, { secret: 'a secret', signature });
  const { event } = await webhooks.unwrap(body, headers);
  check(event === 'message.created', 'a genuine delivery is unwrapped');
  const forged = await webhooks.verify(`${body} `, headers).catch((error: unknown) => error);
  check(forged instanceof WebhookError && forged.code === 'SIGNATURE_MISMATCH', 'a forged one is refused');
};
