import type { Lead } from '@confab/client/contract';
import {
  AgentSchema,
  ConversationSchema,
  DateTimeSchema,
  IdSchema,
  LeadSchema,
  MessageSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';
import { isOnCalendar, ON_CALENDAR } from '../clock/calendar.ts';

// Rows as the mock keeps them: like the contract's, with a single form of ids and date-times, and no unknown fields.

/** Keeps the JSON Schema of a schema that got another check, because zod copies it without. */
const documentedAs = <Schema extends z.core.$ZodType>(model: z.core.$ZodType, schema: Schema): Schema => {
  schema._zod.processJSONSchema = model._zod.processJSONSchema;
  return schema;
};

const id = documentedAs(IdSchema, IdSchema.check(z.toLowerCase()));

const onCalendar = (dateTime: string): boolean => {
  const at = Date.parse(dateTime);
  // The contract's own check refuses texts that are not date-times.
  return Number.isNaN(at) || isOnCalendar(at);
};

/** In UTC with milliseconds, so that date-times sort as strings. */
const dateTime = z.pipe(
  documentedAs(DateTimeSchema, DateTimeSchema.check(z.refine(onCalendar, { error: ON_CALENDAR }))),
  z.transform((value) => new Date(value).toISOString()),
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
