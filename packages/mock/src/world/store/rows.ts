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

// Rows as the mock keeps them: the contract's, with ids and date-times in one form each, and no field beside theirs.

const id = IdSchema.check(z.toLowerCase());

const onCalendar = (dateTime: string): boolean => {
  const at = Date.parse(dateTime);
  // What is no date-time at all, the contract refuses in its own words.
  return Number.isNaN(at) || isOnCalendar(at);
};

/** In UTC with milliseconds, so that date-times sort as strings. */
const dateTime = z.pipe(
  DateTimeSchema.check(z.refine(onCalendar, { error: ON_CALENDAR })),
  z.transform((value) => new Date(value).toISOString()),
);

/** What leads and conversations belong to. The API has no operation for pipelines; their ids appear in its rows. */
export const PipelineSchema = z.strictObject({ id, name: z.string(), createdAt: dateTime });
/** A pipeline, which leads and conversations belong to. */
export interface Pipeline {
  /** The id of the pipeline, a UUID. */
  id: string;
  /** The name of the pipeline. */
  name: string;
  /** When the pipeline was created, as an RFC 3339 date-time in UTC. */
  createdAt: string;
}

export const StoredAgentSchema = z.strictObject({ ...AgentSchema.shape, id, updatedAt: dateTime });

/** A lead as the mock keeps it: the API takes notes, and never sends them back. */
export const StoredLeadSchema = z.strictObject({
  ...LeadSchema.shape,
  id,
  pipelineId: id,
  createdAt: dateTime,
  notes: z.nullable(z.string()),
});
/** A lead as the mock stores it. */
export interface StoredLead extends Lead {
  /** Internal notes about the lead, which the API never returns; `null` if there are none. */
  notes: string | null;
}

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
