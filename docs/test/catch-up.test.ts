import { stripTypeScriptTypes } from 'node:module';
import type { Confab, Message } from '@confab/client';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { createWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { read } from '../.vitepress/content/repository.ts';

interface Recipe {
  readSince(confab: Confab, id: string, time: number): Promise<Message[]>;
  messagesSince(confab: Confab, time: number): AsyncIterable<Message>;
}

const [, block = ''] =
  /^## Catch up after.*?```ts run\n(?:import [^\n]*\n)+(.*?)^const mock /ms.exec(
    read('docs/guides/conversations.md'),
  ) ?? [];
const recipe: Recipe = new Function(`${stripTypeScriptTypes(block)}; return { readSince, messagesSince }`)();

test.for(['createdAt desc', 'lastMessageAt desc'] as const)(
  'the recipe for missed webhooks loses no message while conversations move in a list ordered by %s',
  async (order) => {
    const mock = createMock({ behavior: { order: { 'conversations.list': order } }, rateLimit: 100_000 });
    const confab = createClient(mock.clientOptions);
    const write = async (lead: number, body: string) => {
      await mock.inbound({ phone: `+44207000${1_000 + lead}`, body });
      await mock.clock.advance(1_000);
    };
    const leads = Array.from({ length: 150 }, (_, lead) => lead);
    for (const lead of leads) {
      await write(lead, `old ${lead}`);
    }
    const wentDown = mock.clock.now();
    for (const lead of leads) {
      await write(lead, `missed ${lead}`);
    }

    const seen = new Set<string | null>();
    const secret = 'a secret of the test';
    const webhooks = createWebhooks({ secret, signature: { header: 'x-webhook-signature' } });
    webhooks.on('message.created', async ({ data }) => {
      for (const { content } of await recipe.readSince(confab, data.conversationId, wentDown)) {
        seen.add(content);
      }
    });
    mock.webhooks.add({ url: 'https://receiver.example/hooks', secret, fetch: webhooks.fetch });
    let count = 0;
    for await (const { content } of recipe.messagesSince(confab, wentDown)) {
      seen.add(content);
      count += 1;
      if (count === 50) {
        for (let lead = 0; lead < 150; lead += 30) {
          await write(lead, `new ${lead}`);
        }
        await mock.webhooks.flush();
      }
    }
    expect(leads.filter((lead) => !seen.has(`missed ${lead}`))).toEqual([]);
  },
);
