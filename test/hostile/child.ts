/** A process under test, with the options that most users have. It measures itself when asked. */
import { ConfabError, createClient } from '@confab/client';
import { openServer } from '@confab/internal/test-support';
import { createMock } from '@confab/mock';
import { serve } from '@confab/mock/server';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import type { Usage } from './meter.ts';
import { beginUsage } from './meter.ts';

const mock = createMock({ clock: 'system' });

const serveReceiver = async (): Promise<string> => {
  const webhooks = createWebhooks({ secret: 'a secret', signature: { header: 'x-signature' } });
  return (await openServer(toNodeHandler(webhooks))).url;
};

/** The questions that the parent process may ask. */
const questions: Readonly<Record<string, (baseUrl: string) => unknown>> = {
  begin: () => {
    end = beginUsage();
  },
  end: () => end?.(),
  key: () => mock.apiKey,
  /** Makes one call of the client, and returns how it ended. */
  async call(baseUrl) {
    const retry = { limit: 1, baseDelay: 1 };
    try {
      await createClient({ baseUrl, apiKey: 'confab_live_resources', retry }).agents.list();
      return 'ok';
    } catch (error) {
      return error instanceof ConfabError ? error.code : `not ours: ${String(error)}`;
    }
  },
};
let end: (() => Usage) | undefined;

process.on('disconnect', () => process.exit());
process.on('message', async ([name, baseUrl]: [string, string]) => {
  process.send?.({ result: await questions[name]?.(baseUrl) });
});
const subject = process.argv[2];
const url =
  subject === 'mock' ? (await serve(mock)).url : subject === 'receiver' ? await serveReceiver() : '';
process.send?.({ result: url });
