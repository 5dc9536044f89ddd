import { parseFlags } from '@confab/internal/cli';
import { createWebhooks } from '../create-webhooks.ts';
import { WebhookError } from '../errors.ts';
import type { Command } from './command.ts';
import { bodyFrom, headerFlags, headersFrom, secretFlags, secretFrom, signatureFlags } from './flags.ts';
import { messageOf } from './message-of.ts';
import { signatureFrom } from './signature-from.ts';

/** Verifies a captured delivery and prints its event. */
export const verify: Command = async (args, io) => {
  const { values, positionals } = parseFlags(args, {
    options: { ...signatureFlags, ...secretFlags, ...headerFlags },
    allowPositionals: true,
  });
  const headers = headersFrom(values.H);
  const signature = signatureFrom(values);
  const webhooks = createWebhooks({ secret: secretFrom(values, io), signature });
  try {
    const { event, known } = await webhooks.unwrap(await bodyFrom(positionals, io), headers);
    io.print(`genuine: ${event}${known ? '' : ' (an event without a schema)'}`);
    return 0;
  } catch (error) {
    if (!(error instanceof WebhookError)) {
      throw error;
    }
    io.print(`refused: ${error.code}`);
    io.print(messageOf(error));
    return 1;
  }
};
