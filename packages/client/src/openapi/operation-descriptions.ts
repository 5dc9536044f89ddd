import type { OperationId } from '../contract/index.ts';

interface OperationDescription {
  /** What the operation does, in a few words. */
  readonly summary: string;
  /** What the operation does. */
  readonly does: string;
  /** What a success carries. */
  readonly gives: string;
}

/** What each operation does and gives; an operation without a description does not compile. */
export const operationDescriptions: { readonly [Id in OperationId]: OperationDescription } = {
  'conversations.list': {
    summary: 'List conversations',
    does: 'Returns one page of the conversations of the account, of one status or pipeline if you name it. The API does not publish the order.',
    gives: 'A page of conversations.',
  },
  'conversations.get': {
    summary: 'Read a conversation with its messages',
    does: 'Returns a conversation with its messages, 50 of them unless `messagesLimit` says otherwise.',
    gives: 'The conversation with its messages.',
  },
  'conversations.sendMessage': {
    summary: 'Send a message into a conversation',
    does: 'Sends a message to the lead over the channel of the conversation. A repeated request sends the message again.',
    gives: 'The message that was sent.',
  },
  'leads.list': {
    summary: 'List leads',
    does: 'Returns one page of the leads of the account, narrowed by status, source, pipeline or a search text. The API does not publish the order.',
    gives: 'A page of leads.',
  },
  'leads.create': {
    summary: 'Create a lead',
    does: 'Creates a lead. An account has one lead for a phone number: a second one is refused with 409.',
    gives: 'The lead that was created.',
  },
  'leads.get': {
    summary: 'Read a lead',
    does: 'Returns a lead.',
    gives: 'The lead.',
  },
  'leads.update': {
    summary: 'Update a lead',
    does: 'Sets the fields that the body has, and leaves the others alone. A repeated request changes nothing more.',
    gives: 'The lead after the update.',
  },
  'agents.list': {
    summary: 'List AI agents',
    does: 'Returns all AI agents of the account. This list does not come in pages.',
    gives: 'All agents of the account.',
  },
  'agents.invoke': {
    summary: 'Invoke an agent in its sandbox',
    does: 'Runs an agent in a sandbox and returns the text that it generates. No lead receives anything.',
    gives: 'The generated text, and what it cost.',
  },
  'analytics.funnel': {
    summary: 'Read the conversion funnel',
    does: 'Returns how many leads reached each step of the conversion funnel between two moments.',
    gives: 'The funnel.',
  },
};

/** The resource that an operation belongs to. */
type Resource = OperationId extends infer Id ? (Id extends `${infer Name}.${string}` ? Name : never) : never;

/** What each tag of the document groups. */
export const tagDescriptions: { readonly [Tag in Resource | 'webhooks']: string } = {
  conversations: 'Conversations of all channels, and their messages.',
  leads: 'Contacts and prospects.',
  agents: 'AI agents, and a sandbox to try them in.',
  analytics: 'The conversion funnel.',
  webhooks: 'Events that the service delivers to a URL of your choice.',
};
