import type { Confab } from '@confab/client';

/** The message to a new lead. */
const greeting = (name: string | null): string =>
  `Hello${name === null ? '' : ` ${name}`}, thank you for your interest! When may we call you?`;

/**
 * Writes to every new lead that has an open conversation, and makes the lead active.
 *
 * A lead without an open conversation stays new, because the API cannot open a conversation.
 *
 * @returns The number of leads that were written to.
 */
export const followUp = async (confab: Confab): Promise<number> => {
  const conversationOf = new Map<string, string>();
  for await (const { id, leadId } of confab.conversations.list({ status: 'open' })) {
    if (leadId !== null) {
      conversationOf.set(leadId, id);
    }
  }

  let written = 0;
  for await (const { id, displayName } of confab.leads.list({ status: 'new' })) {
    const conversationId = conversationOf.get(id);
    if (conversationId === undefined) {
      continue;
    }
    // The status changes first: if the message is lost, a second run must not write twice.
    await confab.leads.update(id, { status: 'active' });
    await confab.conversations.sendMessage(conversationId, { content: greeting(displayName) });
    written += 1;
  }
  return written;
};
