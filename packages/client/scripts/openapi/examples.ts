import type {
  Agent,
  Conversation,
  FunnelPeriod,
  Lead,
  LeadListQuery,
  Message,
} from '../../src/contract/index.ts';

const pipelineId = '3d0f2b0c-53f4-4d0e-9d0c-0f3d5b8b6a11';
const leadId = '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11';
const conversationId = '8a4f3f0e-1f61-4f0c-8e0a-7b1f0c2d9e33';

const agent: Agent = {
  id: 'c1b7a0de-2f4e-4f55-8a39-5e2f6f8d7c44',
  name: 'Qualifier',
  description: 'Finds out what a lead needs',
  llmProvider: 'example',
  llmModel: 'example-1',
  updatedAt: '2026-01-12T08:30:00.000Z',
};

// The phone numbers are reserved for fiction.
const lead: Lead = {
  id: leadId,
  pipelineId,
  phone: '+442079460123',
  displayName: 'Ada Example',
  email: 'ada@example.com',
  source: 'website',
  status: 'new',
  createdAt: '2026-01-15T09:00:00.000Z',
};

const conversation: Conversation = {
  id: conversationId,
  pipelineId,
  leadId,
  channel: 'live_chat',
  status: 'open',
  priority: 'medium',
  lastMessageAt: '2026-01-15T09:05:00.000Z',
  createdAt: '2026-01-15T09:00:00.000Z',
};

const message: Message = {
  id: 'e5d3c2b1-7a69-4b58-9c47-3f2e1d0c9b55',
  conversationId,
  senderType: 'lead',
  direction: 'inbound',
  messageType: 'text',
  content: 'Hi, is the premium plan still available?',
  createdAt: '2026-01-15T09:05:00.000Z',
};

const period: FunnelPeriod = { from: '2026-01-01T00:00:00.000Z', to: '2026-01-31T23:59:59.999Z' };
const paging = { limit: 25, offset: 0 };

/** An example of each schema. It has every optional field, so each field has an example too. */
export const examples: Readonly<Record<string, object>> = {
  Agent: agent,
  AgentInvoke: { userMessage: 'Do you deliver on Sundays?' },
  AgentReply: { text: 'Yes, until 6 pm.', tokensIn: 7, tokensOut: 5, latencyMs: 840 },
  Conversation: conversation,
  ConversationDetail: { ...conversation, messages: [message] },
  ConversationGetQuery: { messagesLimit: 50 },
  ConversationListQuery: { ...paging, status: 'open', pipelineId },
  ErrorEnvelope: { success: false, error: 'The API key is not valid', code: 'API_KEY_INVALID' },
  Funnel: { newLeads: 60, activeLeads: 15, qualified: 9, converted: 6, conversionRate: 0.1, range: period },
  FunnelQuery: period,
  FunnelPeriod: period,
  Lead: lead,
  LeadCreate: {
    phone: '+442079460958',
    displayName: 'Grace Example',
    email: 'grace@example.com',
    source: 'website',
    pipelineId,
    notes: 'Asked for a call back',
  },
  LeadListQuery: {
    ...paging,
    status: 'new',
    source: 'website',
    pipelineId,
    search: 'Ada Example',
  } satisfies Required<LeadListQuery>,
  LeadUpdate: {
    displayName: 'Ada Example',
    email: 'ada@example.com',
    notes: 'Wants the premium plan',
    status: 'qualified',
  },
  Message: message,
  MessageSend: { content: 'Thank you for writing! One moment, please.' },
  PaginationMeta: { total: 60, ...paging },
};
