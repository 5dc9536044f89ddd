import { call } from '../../api/call.ts';
import type { Conversation, Lead, Message } from '../../api/types.ts';

/** The most conversations, leads and messages to show. */
const [CONVERSATIONS, LEADS, MESSAGES] = [200, 2_000, 500];

/** A conversation with the name of its lead. */
export interface NamedConversation extends Conversation {
  readonly name: string;
}

const nameOf = (lead: Lead | undefined): string => lead?.displayName ?? lead?.phone ?? 'Unknown lead';

const activity = ({ lastMessageAt, createdAt }: Conversation): string => lastMessageAt ?? createdAt;

/** The conversations with the latest activity first. */
export const loadConversations = async (): Promise<readonly NamedConversation[]> => {
  const [{ data: conversations }, { data: leads }] = await Promise.all([
    call<Conversation[]>('rows.find', {
      params: { collection: 'conversations' },
      query: { limit: CONVERSATIONS },
    }),
    call<Lead[]>('rows.find', { params: { collection: 'leads' }, query: { limit: LEADS } }),
  ]);
  const byId = new Map(leads.map((lead) => [lead.id, lead]));
  return conversations
    .map((conversation) => ({ ...conversation, name: nameOf(byId.get(conversation.leadId ?? '')) }))
    .sort((a, b) => (activity(a) < activity(b) ? 1 : -1));
};

/** The latest messages of a conversation, oldest first. */
export const loadMessages = async (conversationId: string): Promise<readonly Message[]> => {
  const { data } = await call<Message[]>('rows.find', {
    params: { collection: 'messages' },
    query: { conversationId, limit: MESSAGES },
  });
  return data.toReversed();
};
