// Generated from the doc comments of the contract's types by `pnpm --filter @confab/client run openapi`.
import type { EnumName, ObjectName, SchemaOf } from './named-schemas.ts';

interface ObjectDescription<Name extends ObjectName> {
  readonly description: string;
  readonly fields: Readonly<Record<keyof SchemaOf<Name>['shape'] & string, string>>;
}

/** The meaning of each schema and of each of its fields. */
export const objectDescriptions: { readonly [Name in ObjectName]: ObjectDescription<Name> } = {
  Agent: {
    description: 'An AI agent of the account.',
    fields: {
      id: 'The id of the agent, a UUID.',
      name: 'The name of the agent.',
      description: 'What the agent is for; `null` if it has no description.',
      llmProvider: 'The provider of the language model.',
      llmModel: 'The language model; `null` if none is set.',
      updatedAt: 'When the agent was last changed, as an RFC 3339 date-time.',
    },
  },
  AgentInvoke: {
    description: 'The body that invokes an agent in its sandbox.',
    fields: { userMessage: 'The message to reply to, of 1 to 4000 characters (Unicode code points).' },
  },
  AgentReply: {
    description: 'The text that an agent generated, and what it cost.',
    fields: {
      text: 'The generated text.',
      tokensIn: 'The number of tokens that the model read.',
      tokensOut: 'The number of tokens that the model generated.',
      latencyMs: 'The time that the agent took, in milliseconds.',
    },
  },
  Conversation: {
    description: 'A conversation, as lists show it.',
    fields: {
      id: 'The id of the conversation, a UUID.',
      pipelineId: 'The id of the pipeline that the conversation belongs to, a UUID.',
      leadId: 'The id of the lead that takes part in the conversation, a UUID; `null` if there is no lead.',
      channel: 'The channel that the conversation uses, such as a messaging app or live chat.',
      status: 'Whether the conversation needs attention. New values may be added.',
      priority: 'How urgent the conversation is. New values may be added.',
      lastMessageAt:
        'When the latest message was written, as an RFC 3339 date-time; `null` if there are no messages.',
      createdAt: 'When the conversation began, as an RFC 3339 date-time.',
    },
  },
  ConversationDetail: {
    description: 'A conversation with its messages.',
    fields: {
      messages: 'The messages of the conversation, `messagesLimit` at most.',
      id: 'The id of the conversation, a UUID.',
      pipelineId: 'The id of the pipeline that the conversation belongs to, a UUID.',
      leadId: 'The id of the lead that takes part in the conversation, a UUID; `null` if there is no lead.',
      channel: 'The channel that the conversation uses, such as a messaging app or live chat.',
      status: 'Whether the conversation needs attention. New values may be added.',
      priority: 'How urgent the conversation is. New values may be added.',
      lastMessageAt:
        'When the latest message was written, as an RFC 3339 date-time; `null` if there are no messages.',
      createdAt: 'When the conversation began, as an RFC 3339 date-time.',
    },
  },
  ConversationGetQuery: {
    description: 'The query parameters that read a conversation.',
    fields: { messagesLimit: 'The maximum number of messages to return, from 1 to 100.' },
  },
  ConversationListQuery: {
    description: 'The query parameters that list conversations.',
    fields: {
      status: 'Only conversations with this status.',
      pipelineId: 'Only rows of the pipeline with this id, a UUID.',
      limit: 'The maximum number of rows in one page, from 1 to 100.',
      offset: 'The number of rows to skip, from 0.',
    },
  },
  ErrorEnvelope: {
    description: 'The body of every error response.',
    fields: {
      success: 'Always `false` for an error.',
      error: 'What went wrong, in words for people.',
      code: 'What went wrong, for programs: `API_KEY_REQUIRED`, `API_KEY_INVALID`, `SCOPE_REQUIRED`, `RATE_LIMIT_EXCEEDED` or a code that the API does not publish.',
    },
  },
  Funnel: {
    description: 'How many leads reached each step of the funnel in a period.',
    fields: {
      newLeads: 'The number of new leads.',
      activeLeads: 'The number of active leads.',
      qualified: 'The number of qualified leads.',
      converted: 'The number of converted leads.',
      conversionRate: 'The share of leads that converted. The API does not publish the formula.',
      range: 'The period that the numbers are for.',
    },
  },
  FunnelPeriod: {
    description: 'A period of time.',
    fields: {
      from: 'The start of the period, as an RFC 3339 date-time.',
      to: 'The end of the period, as an RFC 3339 date-time.',
    },
  },
  FunnelQuery: {
    description: 'The query parameters that read the funnel.',
    fields: {
      from: 'The start of the period, as an RFC 3339 date-time. The service chooses one if it is left out.',
      to: 'The end of the period, as an RFC 3339 date-time. The service chooses one if it is left out.',
    },
  },
  Lead: {
    description: 'A contact or prospect.',
    fields: {
      id: 'The id of the lead, a UUID.',
      pipelineId: 'The id of the pipeline that the lead belongs to, a UUID.',
      phone: 'The phone number in E.164 format, such as `+5511987654321`; `null` if the lead has none.',
      displayName: 'The name to show for the lead; `null` if it has none.',
      email: 'The email address of the lead; `null` if it has none.',
      source: 'Where the lead came from.',
      status: 'The step that the lead has reached. New values may be added.',
      createdAt: 'When the lead was created, as an RFC 3339 date-time.',
    },
  },
  LeadCreate: {
    description: 'The body that creates a lead.',
    fields: {
      phone:
        'The phone number in E.164 format, such as `+5511987654321`, or a value that the service can normalize to it. No two leads of an account have the same one.',
      displayName: 'The name to show for the lead; `null` for none.',
      email: 'The email address of the lead; `null` for none.',
      source: 'Where the lead came from. The API does not publish the default.',
      pipelineId:
        'The id of the pipeline to put the lead into, a UUID; the first pipeline of the account if it is left out.',
      notes: 'Internal notes about the lead; `null` for none. The API accepts notes but never returns them.',
    },
  },
  LeadListQuery: {
    description: 'The query parameters that list leads.',
    fields: {
      status: 'Only leads with this status. The API accepts any string here.',
      source: 'Only leads from this source.',
      pipelineId: 'Only rows of the pipeline with this id, a UUID.',
      search: 'Only leads that match this text. The API does not publish which fields it searches.',
      limit: 'The maximum number of rows in one page, from 1 to 100.',
      offset: 'The number of rows to skip, from 0.',
    },
  },
  LeadUpdate: {
    description: 'The body that updates a lead. Fields that are left out keep their values.',
    fields: {
      displayName: 'The name to show for the lead; `null` removes it.',
      email: 'The email address of the lead; `null` removes it.',
      notes:
        'Internal notes about the lead; `null` removes them. The API accepts notes but never returns them.',
      status: 'The step that the lead has reached.',
    },
  },
  Message: {
    description: 'A message of a conversation.',
    fields: {
      id: 'The id of the message, a UUID.',
      conversationId: 'The id of the conversation that the message belongs to, a UUID.',
      senderType: 'Who wrote the message. New values may be added.',
      direction: 'Whether the lead sent the message or received it. New values may be added.',
      messageType: 'The kind of message. The API does not publish the kinds.',
      content: 'The text of the message; `null` for a message without text.',
      createdAt: 'When the message was written, as an RFC 3339 date-time.',
    },
  },
  MessageCreated: {
    description: 'The data of a `message.created` event.',
    fields: {
      conversationId: 'The id of the conversation that the message belongs to.',
      channel: 'The channel of the conversation.',
      body: 'The text of the message.',
    },
  },
  MessageCreatedEvent: {
    description: 'The body of a delivery that reports a new message.',
    fields: { event: 'The name of the event.', data: 'The message.' },
  },
  MessageSend: {
    description: 'The body that sends a message.',
    fields: { content: 'The text to send, of at most 4096 characters (Unicode code points).' },
  },
  PaginationMeta: {
    description: 'The position of a page in its list.',
    fields: {
      total: 'The number of rows in the whole list.',
      limit: 'The maximum number of rows in this page.',
      offset: 'The number of rows before this page.',
    },
  },
};

/** The meaning of each enum. */
export const enumDescriptions: { readonly [Name in EnumName]: string } = {
  ConversationPriority: 'How urgent a conversation is.',
  ConversationStatus: 'Whether a conversation needs attention.',
  LeadStatus: 'The step that a lead has reached.',
  MessageDirection: 'Whether the lead sent a message or received it.',
  SenderType: 'Who wrote a message.',
};
