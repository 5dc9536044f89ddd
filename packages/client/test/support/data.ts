/** Bodies as the published description of the API has them, written by hand. */
export const ids = {
  lead: '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11',
  conversation: '0b6b1f4e-3f0e-4d0e-8a53-5d6f3a1f5c22',
  message: '9d1f2f7e-8c1b-4f5a-b5a1-7a4f8f3c9d33',
  agent: '3c2e8f1a-1d2b-4e3f-9c4d-5e6f7a8b9c44',
  pipeline: 'a1b2c3d4-e5f6-4a1b-8c2d-3e4f5a6b7c55',
};

export const lead = {
  id: ids.lead,
  pipelineId: ids.pipeline,
  phone: '+5511987654321',
  displayName: 'Ana',
  email: null,
  source: 'api',
  status: 'new',
  createdAt: '2026-01-31T12:00:00.000Z',
};

export const conversation = {
  id: ids.conversation,
  pipelineId: ids.pipeline,
  leadId: ids.lead,
  channel: 'chat',
  status: 'open',
  priority: 'medium',
  lastMessageAt: null,
  createdAt: '2026-01-31T12:00:00Z',
};

export const message = {
  id: ids.message,
  conversationId: ids.conversation,
  senderType: 'human',
  direction: 'outbound',
  messageType: 'text',
  content: 'Hello',
  createdAt: '2026-01-31T12:00:00+03:00',
};

export const agent = {
  id: ids.agent,
  name: 'Sales',
  description: null,
  llmProvider: 'acme',
  llmModel: null,
  updatedAt: '2026-01-31T12:00:00Z',
};

export const agentReply = { text: 'Yes, until noon.', tokensIn: 12, tokensOut: 5, latencyMs: 830 };

export const funnel = {
  newLeads: 10,
  activeLeads: 5,
  qualified: 3,
  converted: 1,
  conversionRate: 0.1,
  range: { from: '2026-01-01T00:00:00Z', to: '2026-01-31T00:00:00Z' },
};

export const KEY = 'confab_live_s3cr3tS3cr3tS3cr3t';
