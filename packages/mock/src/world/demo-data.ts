import type { Conversation } from '@confab/client/contract';
import type { StoredLead } from './resources/leads.ts';
import type { MessageInit } from './resources/messages.ts';
import type { Random } from './store/random.ts';
import type { MockData } from './store/store.ts';
import type { MockFields } from './store/table.ts';

const HOUR = 60 * 60 * 1000;
const LEADS = 60;

const NAMES = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elena', 'Farid', 'Grace', 'Hugo', 'Ines', 'Jonas'] as const;
const FAMILIES = ['Almeida', 'Brandt', 'Costa', 'Duarte', 'Eriksen', 'Fontaine', 'Garcia', 'Haddad'] as const;
const SOURCES = ['api', 'website', 'referral', 'import'] as const;
const STATUSES = ['new', 'new', 'new', 'active', 'active', 'qualified', 'converted', 'lost'] as const;
const CHANNELS = ['live_chat', 'messaging', 'email'] as const;
const PRIORITIES = ['low', 'medium', 'medium', 'high', 'urgent'] as const;
const QUESTIONS = [
  'Hi, is the premium plan still available?',
  'How much is shipping to Lisbon?',
  'Could somebody call me back tomorrow?',
  'I would like to change my order.',
] as const;
const ANSWERS = [
  'Thank you for writing! One moment, please.',
  'Of course. Which day suits you?',
  'Yes, it is.',
] as const;

/** Creates sample rows of every resource, spread over the last thirty days. */
export const createDemoData = (random: Random, now: number): MockData => {
  const ago = (hours: number) => new Date(now - hours * HOUR).toISOString();
  const sales = { id: random.id(), name: 'Sales', createdAt: ago(2_000) };
  const support = { id: random.id(), name: 'Support', createdAt: ago(1_000) };
  const leads: MockFields<StoredLead>[] = [];
  const conversations: MockFields<Conversation>[] = [];
  const messages: MessageInit[] = [];

  for (let index = 0; index < LEADS; index += 1) {
    const [name, family] = [random.pick(NAMES), random.pick(FAMILIES)];
    const pipelineId = random.pick([sales, sales, support]).id;
    const hours = 1 + random.below(29 * 24);
    const id = random.id();
    leads.push({
      id,
      pipelineId,
      // Numbers reserved for fiction.
      phone: `+1202555${String(100 + index).padStart(4, '0')}`,
      displayName: `${name} ${family}`,
      email: index % 3 === 0 ? null : `${name}.${family}${index}@example.com`.toLowerCase(),
      source: random.pick(SOURCES),
      status: random.pick(STATUSES),
      createdAt: ago(hours),
    });
    // Every second lead has written.
    if (index % 2 === 0) {
      const conversationId = random.id();
      const channel = random.pick(CHANNELS);
      const turns = 1 + random.below(4);
      // Messages are minutes apart, between the creation of the lead and now.
      const timeOfTurn = (turn: number) => ago(hours - (turn + 1) / 10);
      for (let turn = 0; turn < turns; turn += 1) {
        const written = { conversationId, createdAt: timeOfTurn(turn) };
        messages.push(
          turn % 2 === 0
            ? { ...written, senderType: 'lead', content: random.pick(QUESTIONS) }
            : { ...written, senderType: random.pick(['ai', 'human']), content: random.pick(ANSWERS) },
        );
      }
      conversations.push({
        id: conversationId,
        pipelineId,
        leadId: id,
        channel,
        status: random.pick(['open', 'open', 'snoozed', 'resolved']),
        priority: random.pick(PRIORITIES),
        createdAt: ago(hours),
      });
    }
  }

  return {
    pipelines: [sales, support],
    agents: [
      {
        name: 'Qualifier',
        description: 'Finds out what a lead needs',
        llmModel: 'echo-1',
        updatedAt: ago(300),
      },
      { name: 'Concierge', updatedAt: ago(100) },
    ],
    leads,
    conversations,
    messages,
  };
};
