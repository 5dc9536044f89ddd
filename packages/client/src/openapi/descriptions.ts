import type { EnumName, ObjectName, SchemaOf } from './named-schemas.ts';

interface ObjectDescription<Name extends ObjectName> {
  readonly description: string;
  readonly fields: Readonly<Record<keyof SchemaOf<Name>['shape'] & string, string>>;
}

const paging = {
  limit: 'The most rows that one page may have.',
  offset: 'The number of rows to skip.',
};

const conversation = {
  id: 'The id of the conversation.',
  pipelineId: 'The pipeline that the conversation belongs to.',
  leadId: 'The lead that takes part in the conversation; `null` if it has none.',
  channel: 'The channel that the conversation arrived over, such as a messaging app or live chat.',
  status: 'Whether the conversation needs attention. New values may be added.',
  priority: 'How urgent the conversation is. New values may be added.',
  lastMessageAt: 'When the latest message was written; `null` if there are no messages.',
  createdAt: 'When the conversation began.',
};

const contact = {
  displayName: 'The name to show for the lead.',
  email: 'The email address of the lead.',
  notes: 'Internal notes about the lead. The API accepts notes but never returns them.',
};

const LEAD_STATUS = 'The step that the lead has reached.';

/**
 * What each schema and each of its fields means.
 *
 * Kept apart from the schemas so that no bundle carries them; a schema or a field without a description does not compile.
 */
export const objectDescriptions: { readonly [Name in ObjectName]: ObjectDescription<Name> } = {
  Agent: {
    description: 'An AI agent of the account.',
    fields: {
      id: 'The id of the agent.',
      name: 'The name of the agent.',
      description: 'What the agent is for.',
      llmProvider: 'The provider of the language model.',
      llmModel: 'The language model; `null` if none is set.',
      updatedAt: 'When the agent was last changed.',
    },
  },
  AgentInvoke: {
    description: 'The body that invokes an agent in its sandbox.',
    fields: { userMessage: 'The message to answer, of 1 to 4000 characters (Unicode code points).' },
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
  Conversation: { description: 'A conversation, as lists show it.', fields: conversation },
  ConversationDetail: {
    description: 'A conversation with its messages.',
    fields: { ...conversation, messages: 'The messages of the conversation, `messagesLimit` at most.' },
  },
  ConversationGetQuery: {
    description: 'The query parameters that read a conversation.',
    fields: { messagesLimit: 'The most messages to return.' },
  },
  ConversationListQuery: {
    description: 'The query parameters that list conversations.',
    fields: {
      ...paging,
      status: 'Only conversations with this status.',
      pipelineId: 'Only rows of this pipeline.',
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
  FunnelQuery: {
    description: 'The query parameters that read the funnel.',
    fields: {
      from: 'The start of the period. The service chooses one if it is left out.',
      to: 'The end of the period. The service chooses one if it is left out.',
    },
  },
  FunnelPeriod: {
    description: 'A period.',
    fields: { from: 'The start of the period.', to: 'The end of the period.' },
  },
  Lead: {
    description: 'A contact or prospect.',
    fields: {
      id: 'The id of the lead.',
      pipelineId: 'The pipeline that the lead belongs to.',
      phone: 'The phone number in E.164 format.',
      displayName: contact.displayName,
      email: contact.email,
      source: 'Where the lead came from.',
      status: `${LEAD_STATUS} New values may be added.`,
      createdAt: 'When the lead was created.',
    },
  },
  LeadCreate: {
    description: 'The body that creates a lead.',
    fields: {
      ...contact,
      phone:
        'The phone number in E.164 format, or a value that the service can normalize to it. No two leads of an account have the same one.',
      source: 'Where the lead came from. The API does not publish the default.',
      pipelineId: 'The pipeline to put the lead into; the first pipeline of the account if it is left out.',
    },
  },
  LeadListQuery: {
    description: 'The query parameters that list leads.',
    fields: {
      ...paging,
      status: 'Only leads with this status.',
      source: 'Only leads from this source.',
      pipelineId: 'Only rows of this pipeline.',
      search: 'Only leads that match this text. The API does not publish which fields it searches.',
    },
  },
  LeadUpdate: {
    description: 'The body that updates a lead. Fields that are left out keep their values.',
    fields: { ...contact, status: LEAD_STATUS },
  },
  Message: {
    description: 'A message of a conversation.',
    fields: {
      id: 'The id of the message.',
      conversationId: 'The conversation that the message belongs to.',
      senderType: 'Who wrote the message. New values may be added.',
      direction: 'Whether the lead sent the message or received it. New values may be added.',
      messageType: 'The kind of message.',
      content: 'The text of the message; `null` for a message without text.',
      createdAt: 'When the message was written.',
    },
  },
  MessageCreated: {
    description: 'The data of a `message.created` event.',
    fields: {
      conversationId: 'The conversation that the message belongs to.',
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
      limit: 'The most rows that this page could have.',
      offset: 'The number of rows before this page.',
    },
  },
};

/** What each enum means. */
export const enumDescriptions: { readonly [Name in EnumName]: string } = {
  ConversationPriority: 'How urgent a conversation is.',
  ConversationStatus: 'Whether a conversation needs attention.',
  LeadStatus: 'The step that a lead has reached.',
  MessageDirection: 'Whether the lead sent a message or received it.',
  SenderType: 'Who wrote a message.',
};
