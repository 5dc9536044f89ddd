import { call } from '../../api/call.ts';

/** The most conversations, leads and messages to show. */
const [CONVERSATIONS, LEADS, MESSAGES] = [200, 2_000, 500];

interface Conversation {
  readonly id: string;
  readonly leadId: string | null;
  readonly channel: string;
  readonly status: string;
  readonly lastMessageAt: string | null;
  readonly createdAt: string;
}

interface Lead {
  readonly id: string;
  readonly displayName: string | null;
  readonly phone: string | null;
}

export interface Message {
  readonly id: string;
  readonly senderType: string;
  readonly direction: string;
  readonly content: string | null;
  readonly createdAt: string;
}

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
