/** What a user writes: compiled under every setting that users have, against the declarations of the tarballs. */
import type { Lead } from '@confab/client';
import { ConfabError, createClient, RateLimitError } from '@confab/client';
import { LeadSchema, operations } from '@confab/client/contract';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { createWebhooks, sign, WebhookError } from '@confab/webhooks';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';

export const run = async (): Promise<Lead[]> => {
  const mock = createMock();
  const confab = createClient(mock.clientOptions);
  await confab.leads.create({ phone: '+442079460958', displayName: null });
  const leads: Lead[] = [];
  for await (const lead of confab.leads.list({ status: 'new' })) {
    leads.push(lead);
  }
  // @ts-expect-error the phone is missing
  await confab.leads.create({}).catch(() => {});
  try {
    await confab.leads.get('5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11');
  } catch (error) {
    if (error instanceof RateLimitError) {
      console.log(error.retryAfterMs);
    }
    if (error instanceof ConfabError) {
      console.log(error.code);
    }
  }

  const signature = { header: 'x-webhook-signature' };
  const webhooks = createWebhooks({ secret: 'a secret', signature });
  webhooks.on('message.created', ({ data }) => console.log(data.conversationId.length));
  const handlers = [toNodeHandler(webhooks), toLambdaHandler(webhooks), serve];
  const headers = await sign('{}', { secret: 'a secret', signature });
  await webhooks.verify('{}', headers).catch((error: unknown) => error instanceof WebhookError);
  console.log(handlers.length, LeadSchema.safeParse(leads[0]).success, operations['leads.create'].path);
  return leads;
};
