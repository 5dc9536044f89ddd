import type { Confab } from '@confab/client';

/** What each new lead is written. */
const greeting = (name: string | null): string =>
  `Hello${name === null ? '' : ` ${name}`}, thank you for your interest! When may we call you?`;

/**
 * Writes to everybody who is still new, and makes them active.
 *
 * A lead without an open conversation stays new: the API opens none.
 *
 * @returns How many were written to.
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
    // Before the message: if that is lost, a second run must not write twice.
    await confab.leads.update(id, { status: 'active' });
    await confab.conversations.sendMessage(conversationId, { content: greeting(displayName) });
    written += 1;
  }
  return written;
};
