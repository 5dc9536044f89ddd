import type { MockRows } from '../../../../src/world/resources/resources.ts';
import { call } from '../../api/call.ts';
import type { Conversation, Lead, Message } from '../../api/types.ts';

/** The maximum numbers of conversations, leads, messages of a conversation, and latest messages to search for previews. */
const [CONVERSATIONS, LEADS, MESSAGES, LATEST] = [200, 2_000, 500, 500];

/** A conversation with the name of its lead, and its latest message if that is among the latest of all conversations. */
export interface NamedConversation extends Conversation {
  readonly name: string;
  readonly latest: Message | undefined;
}

const SENDERS: Readonly<Record<string, string>> = { lead: 'You', ai: 'Agent', human: 'Team' };

/** The sender of a message, as the user who plays the lead sees it. */
export const senderOf = ({ senderType }: Message): string => SENDERS[senderType] ?? senderType;

export const textOf = ({ content }: Message): string => content ?? '(no text)';

/** The time of the latest activity in a conversation. */
export const activityOf = ({ lastMessageAt, createdAt }: Conversation): string => lastMessageAt ?? createdAt;

const nameOf = (lead: Lead | undefined): string => lead?.displayName || lead?.phone || 'Unknown lead';

const rowsOf = async <Name extends keyof MockRows>(
  collection: Name,
  query: Record<string, string | number>,
) => (await call('rows.find', { params: { collection }, query })).data as readonly MockRows[Name][];

/** The conversations with the latest activity first. */
export const loadConversations = async (): Promise<readonly NamedConversation[]> => {
  const [conversations, leads, messages] = await Promise.all([
    rowsOf('conversations', { limit: CONVERSATIONS }),
    rowsOf('leads', { limit: LEADS }),
    rowsOf('messages', { limit: LATEST }),
  ]);
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  return conversations
    .map((conversation) => ({
      ...conversation,
      name: nameOf(byId.get(conversation.leadId ?? '')),
      latest: messages.find(({ conversationId }) => conversationId === conversation.id),
    }))
    .sort((a, b) => (activityOf(a) < activityOf(b) ? 1 : -1));
};

/** The latest messages of a conversation, oldest first. */
export const loadMessages = async (conversationId: string): Promise<readonly Message[]> =>
  (await rowsOf('messages', { conversationId, limit: MESSAGES })).toReversed();
