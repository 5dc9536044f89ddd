import type { OperationId } from '../contract/index.ts';

interface OperationDescription {
  /** What the operation does, in a few words. */
  readonly summary: string;
  /** What the operation does. */
  readonly does: string;
  /** What a successful response contains. */
  readonly returns: string;
}

/** What each operation does and returns. An operation without a description does not compile. */
export const operationDescriptions: { readonly [Id in OperationId]: OperationDescription } = {
  'conversations.list': {
    summary: 'List conversations',
    does: 'Returns one page of the account’s conversations, optionally only those with one status or in one pipeline. The API does not publish the order.',
    returns: 'A page of conversations.',
  },
  'conversations.get': {
    summary: 'Read a conversation with its messages',
    does: 'Returns a conversation with its messages: 50 of them, or as many as `messagesLimit` allows.',
    returns: 'The conversation with its messages.',
  },
  'conversations.sendMessage': {
    summary: 'Send a message to a conversation',
    does: 'Sends a message to the lead over the channel of the conversation. A repeated request sends the message again.',
    returns: 'The message that was sent.',
  },
  'leads.list': {
    summary: 'List leads',
    does: 'Returns one page of the account’s leads, optionally filtered by status, source, pipeline or a search text. The API does not publish the order.',
    returns: 'A page of leads.',
  },
  'leads.create': {
    summary: 'Create a lead',
    does: 'Creates a lead. Each phone number belongs to one lead of the account: a second one is refused with 409.',
    returns: 'The lead that was created.',
  },
  'leads.get': {
    summary: 'Read a lead',
    does: 'Returns a lead.',
    returns: 'The lead.',
  },
  'leads.update': {
    summary: 'Update a lead',
    does: 'Sets the fields in the body and leaves the others unchanged. Repeating the request has no further effect.',
    returns: 'The lead after the update.',
  },
  'agents.list': {
    summary: 'List AI agents',
    does: 'Returns all AI agents of the account. This list is not paged.',
    returns: 'All agents of the account.',
  },
  'agents.invoke': {
    summary: 'Invoke an agent in its sandbox',
    does: 'Runs an agent in a sandbox and returns the text that it generates. No lead receives anything.',
    returns: 'The generated text and its cost.',
  },
  'analytics.funnel': {
    summary: 'Read the conversion funnel',
    does: 'Returns how many leads reached each step of the conversion funnel in a period.',
    returns: 'The funnel.',
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
