import {
  AgentSchema,
  ConversationSchema,
  DateTimeSchema,
  IdSchema,
  LeadSchema,
  MessageSchema,
} from '@confab/client/contract';
import * as z from 'zod/mini';

/** A lead as the mock keeps it: the API takes notes, and never sends them back. */
export const StoredLeadSchema = z.extend(LeadSchema, { notes: z.nullable(z.string()) });
export type StoredLead = z.infer<typeof StoredLeadSchema>;

/** What leads and conversations belong to. The API has no operation for pipelines; their ids appear in its rows. */
export const PipelineSchema = z.object({ id: IdSchema, name: z.string(), createdAt: DateTimeSchema });
export type Pipeline = z.infer<typeof PipelineSchema>;

export { AgentSchema, ConversationSchema, MessageSchema };
