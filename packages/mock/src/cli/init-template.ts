import type { MockData } from '../world/store/store.ts';

const PIPELINE = '11111111-1111-4111-8111-111111111111';
const LEAD = '22222222-2222-4222-8222-222222222222';
const CONVERSATION = '33333333-3333-4333-8333-333333333333';

/** The rows of the file that `confab-mock init` writes: one of each kind, to copy and to change. */
export const startingData: MockData = {
  pipelines: [{ id: PIPELINE, name: 'Sales' }],
  agents: [{ name: 'Qualifier', description: 'Finds out what a lead needs' }],
  leads: [
    {
      id: LEAD,
      pipelineId: PIPELINE,
      phone: '+12025550123',
      displayName: 'Ana Almeida',
      email: 'ana@example.com',
      source: 'website',
      status: 'new',
      notes: 'Asked for a quote',
    },
  ],
  conversations: [
    { id: CONVERSATION, pipelineId: PIPELINE, leadId: LEAD, channel: 'live_chat', status: 'open' },
  ],
  messages: [
    { conversationId: CONVERSATION, senderType: 'lead', direction: 'inbound', content: 'Hello!' },
    { conversationId: CONVERSATION, senderType: 'ai', direction: 'outbound', content: 'Hello Ana!' },
  ],
};
