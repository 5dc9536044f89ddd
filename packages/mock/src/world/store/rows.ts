import type { Lead } from '@confab/client/contract';
import {
  AgentSchema,
  ConversationPrioritySchema,
  ConversationSchema,
  ConversationStatusSchema,
  DateTimeSchema,
  IdSchema,
  LeadSchema,
  LeadStatusSchema,
  MessageDirectionSchema,
  MessageSchema,
  SenderTypeSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';
import { EARLIEST, LATEST, ON_CALENDAR } from '../clock/clock.ts';

// Rows as the mock keeps them: like the contract's, with a single form of ids and date-times, and no unknown fields.

const id = IdSchema.check(z.toLowerCase());
// `check()` copies a schema without its JSON Schema, which says `format: uuid`.
id._zod.processJSONSchema = IdSchema._zod.processJSONSchema;

/** In UTC with milliseconds, so that date-times sort as strings. */
const dateTime = z.pipe(
  DateTimeSchema,
  z.transform((value: string, { issues }) => {
    const at = Date.parse(value);
    if (at < EARLIEST || at > LATEST) {
      issues.push({ code: 'custom', message: ON_CALENDAR, input: value });
      return z.NEVER;
    }
    return new Date(at).toISOString();
  }),
);

/**
 * A pipeline, which leads and conversations belong to. The API has no operation for pipelines, but its rows contain their
 * ids.
 */
export interface Pipeline {
  /** A UUID. */
  id: string;
  /** The name of the pipeline. */
  name: string;
  /** When it was created: an RFC 3339 date-time in UTC. */
  createdAt: string;
}

export const PipelineSchema = z.strictObject({ id, name: z.string(), createdAt: dateTime });

export const StoredAgentSchema = z.strictObject({ ...AgentSchema.shape, id, updatedAt: dateTime });

/** A lead with its notes, which the API accepts but never returns. */
export interface StoredLead extends Lead {
  /** The notes on the lead, or null. */
  notes: string | null;
}

export const StoredLeadSchema = z.strictObject({
  ...LeadSchema.shape,
  id,
  pipelineId: id,
  createdAt: dateTime,
  notes: z.nullable(z.string()),
});

export const StoredConversationSchema = z.strictObject({
  ...ConversationSchema.shape,
  id,
  pipelineId: id,
  leadId: z.nullable(id),
  lastMessageAt: z.nullable(dateTime),
  createdAt: dateTime,
});

export const StoredMessageSchema = z.strictObject({
  ...MessageSchema.shape,
  id,
  conversationId: id,
  createdAt: dateTime,
});

const leadCache = new WeakMap<StoredLead, Lead>();

/**
 * The lead as the API returns it: without its notes. Pages are read again and again, so the same row becomes the same
 * object, whose JSON is cached too.
 */
export const toLead = (row: StoredLead): Lead => {
  const known = leadCache.get(row);
  if (known !== undefined) {
    return known;
  }
  const { notes: _, ...lead } = row;
  leadCache.set(row, Object.freeze(lead));
  return lead;
};

/** The fields of rows to which the service may add values, with the values that the contract lists. */
export const OPEN_ENUMS = {
  leads: { status: LeadStatusSchema },
  conversations: { status: ConversationStatusSchema, priority: ConversationPrioritySchema },
  messages: { senderType: SenderTypeSchema, direction: MessageDirectionSchema },
} as const;
