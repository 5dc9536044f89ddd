import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';
import { createWebhooks, sign } from '@confab/webhooks';
import { afterEach, expect, test, vi } from 'vitest';
import { findCodeBlocks } from './support/code-blocks.ts';
import { read } from './support/repository.ts';

const GUIDE = 'docs/guides/webhooks.md';

/** Runs the block of the guide that holds a text, with values for the names that it uses; gives one of its variables. */
const runSnippet = (holding: string, names: Record<string, unknown>, result = 'undefined'): unknown => {
  const block = findCodeBlocks(GUIDE, read(GUIDE)).find(({ code }) => code.includes(holding));
  expect(block).toBeDefined();
  const code = block?.code.replaceAll(/^import .*$/gm, '');
  return new Function(...Object.keys(names), `${code}; return ${result};`)(...Object.values(names));
};

const signature = { header: 'x-webhook-signature' };

afterEach(() => {
  vi.unstubAllEnvs();
});

test('the guide’s replying handler replies once to each message of a lead, and never to itself', async () => {
  const secret = 'a secret of the test';
  const mock = createMock();
  const webhooks = createWebhooks({ secret, signature });
  const errors: unknown[] = [];
  webhooks.onError((error) => errors.push(error));
  runSnippet('We will call you back.', { webhooks, confab: createClient(mock.clientOptions) });
  mock.webhooks.add({ url: 'https://receiver.test/', secret, fetch: webhooks.fetch });
  const { conversation } = await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
  await mock.webhooks.flush();
  const sent = () => mock.messages.find({ conversationId: conversation.id });
  expect(
    sent()
      .map(({ direction }) => direction)
      .sort(),
  ).toEqual(['inbound', 'outbound']);
  await mock.clock.advance(60_000);
  await mock.inbound({ conversationId: conversation.id, body: 'Are you there?' });
  await mock.webhooks.flush();
  expect(sent().filter(({ direction }) => direction === 'outbound')).toHaveLength(2);
  expect(errors).toEqual([]);
});

test.each([
  ['between rotations', 'one', undefined, 'one', 0],
  ['amid a rotation, by the new secret', 'two', 'one', 'two', 0],
  ['amid a rotation, by the old secret', 'two', 'one', 'one', 1],
])('the guide’s receiver with a rotated secret works %s', async (_, current, old, secret, index) => {
  vi.stubEnv('CONFAB_WEBHOOK_SECRET', current);
  vi.stubEnv('CONFAB_WEBHOOK_SECRET_OLD', old);
  const counted: string[] = [];
  const metrics = { increment: (name: string) => counted.push(name) };
  const names = { createWebhooks, signature, metrics };
  const webhooks = runSnippet('CONFAB_WEBHOOK_SECRET_OLD', names, 'webhooks') as ReturnType<
    typeof createWebhooks
  >;
  const data = { conversationId: 'c1', channel: 'web', body: 'Hello' };
  const body = JSON.stringify({ event: 'message.created', data });
  const headers = await sign(body, { secret, signature });
  const answer = await webhooks.receive({ method: 'POST', headers, body });
  expect([answer.status, counted]).toEqual([200, [`webhook.secret.${index}`]]);
});

test('the guide’s receiver with a rotated secret throws without any secret', () => {
  vi.stubEnv('CONFAB_WEBHOOK_SECRET', undefined);
  vi.stubEnv('CONFAB_WEBHOOK_SECRET_OLD', undefined);
  const names = { createWebhooks, signature, metrics: {} };
  expect(() => runSnippet('CONFAB_WEBHOOK_SECRET_OLD', names)).toThrow(/Is its environment variable set/);
});
