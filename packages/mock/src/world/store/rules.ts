import type { Agent, Conversation, Message } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { CollectionOptions, MockFields } from './collection.ts';
import { PHONE_WANTED } from './phone.ts';
import type { Pipeline, StoredLead } from './rows.ts';
import {
  OPEN_ENUMS,
  PipelineSchema,
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from './rows.ts';
import type { MessageInit, Store } from './store.ts';
import type { MockRow } from './table.ts';

// What each kind of row is: its schema and defaults, what it points to, how it is listed, and what its deletion changes.

type Rules<T extends MockRow, Init extends object = MockFields<T>> = Omit<
  CollectionOptions<T, Init>,
  'ids' | 'watchers'
>;

/** What the rules of all kinds depend on. */
export interface RuleContext {
  readonly store: Store;
  /** The time, as a date-time. */
  readonly now: () => string;
  /** The source of a lead that names none. */
  readonly source: string;
  /** Whether rows may have only those values of enums that the contract lists, and point only to rows that exist. */
  readonly strict: boolean;
}

const ifStrict = <Schema extends z.ZodMiniObject>(
  { strict }: RuleContext,
  schema: Schema,
  closed: z.core.$ZodShape,
): Schema => (strict ? (z.extend(schema, closed) as unknown as Schema) : schema);

export const pipelineRules = ({ store, now }: RuleContext): Rules<Pipeline> => ({
  noun: 'pipeline',
  schema: PipelineSchema,
  newestBy: 'createdAt',
  filters: [],
  defaults: () => ({ name: 'Sales', createdAt: now() }),
  onDelete: ({ id: pipelineId }) => {
    for (const rows of [store.leads, store.conversations] as const) {
      for (const { id } of rows.find({ pipelineId })) {
        rows.update(id, { pipelineId: store.firstPipeline().id });
      }
    }
  },
});

export const agentRules = ({ now }: RuleContext): Rules<Agent> => ({
  noun: 'agent',
  schema: StoredAgentSchema,
  newestBy: 'updatedAt',
  filters: [],
  defaults: () => ({
    name: 'Assistant',
    description: null,
    llmProvider: 'mock',
    llmModel: null,
    updatedAt: now(),
  }),
});

export const leadRules = (context: RuleContext): Rules<StoredLead> => {
  const { store, now, source, strict } = context;
  return {
    noun: 'lead',
    schema: ifStrict(context, StoredLeadSchema, OPEN_ENUMS.leads),
    references: strict ? { pipelineId: () => store.pipelines } : {},
    newestBy: 'createdAt',
    filters: ['status', 'source', 'pipelineId'],
    unique: 'phone',
    defaults: ({ pipelineId }) => ({
      pipelineId: pipelineId ?? store.firstPipeline().id,
      phone: null,
      displayName: null,
      email: null,
      source,
      status: 'new',
      createdAt: now(),
      notes: null,
    }),
    normalize: (row) => {
      // A phone that a lead has is normalized already.
      if (row.phone === null || store.leads.table.holding(row.phone) !== undefined) {
        return row;
      }
      const phone = store.normalizePhone(row.phone);
      return phone === undefined
        ? `phone ${PHONE_WANTED}, got ${JSON.stringify(row.phone)}`
        : { ...row, phone };
    },
    toPhone: (phone) => store.normalizePhone(phone),
    onDelete: ({ id: leadId }) => {
      for (const { id } of store.conversations.find({ leadId })) {
        store.conversations.update(id, { leadId: null });
      }
    },
  };
};

export const conversationRules = (context: RuleContext): Rules<Conversation> => {
  const { store, now, strict } = context;
  return {
    noun: 'conversation',
    schema: ifStrict(context, StoredConversationSchema, OPEN_ENUMS.conversations),
    references: strict ? { pipelineId: () => store.pipelines, leadId: () => store.leads } : {},
    newestBy: 'createdAt',
    filters: ['status', 'pipelineId', 'leadId'],
    defaults: ({ pipelineId }) => ({
      pipelineId: pipelineId ?? store.firstPipeline().id,
      leadId: null,
      channel: 'live_chat',
      status: 'open',
      priority: 'medium',
      lastMessageAt: null,
      createdAt: now(),
    }),
    onDelete: ({ id: conversationId }) => {
      for (const { id } of store.messages.find({ conversationId })) {
        store.messages.delete(id);
      }
    },
  };
};

export const messageRules = (context: RuleContext): Rules<Message, MessageInit> => {
  const { store, now, strict } = context;
  return {
    noun: 'message',
    schema: ifStrict(context, StoredMessageSchema, OPEN_ENUMS.messages),
    references: strict ? { conversationId: () => store.conversations } : {},
    newestBy: 'createdAt',
    filters: ['conversationId'],
    defaults: ({ conversationId, senderType }) => ({
      conversationId,
      senderType: 'lead',
      direction: senderType === undefined || senderType === 'lead' ? 'inbound' : 'outbound',
      messageType: 'text',
      content: null,
      createdAt: now(),
    }),
  };
};
