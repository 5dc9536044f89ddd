import * as z from 'zod/mini';
import { DateTimeSchema, IdSchema, integer, text } from './fields.ts';

/** An AI agent of the account. */
export const AgentSchema = z.object({
  id: IdSchema,
  name: z.string(),
  description: z.nullable(z.string()),
  llmProvider: z.string(),
  llmModel: z.nullable(z.string()),
  updatedAt: DateTimeSchema,
});
/** An AI agent of the account. */
export type Agent = z.infer<typeof AgentSchema>;

/** The body that invokes an agent in its sandbox. */
export const AgentInvokeSchema = z.strictObject({ userMessage: text({ minLength: 1, maxLength: 4000 }) });
/** The body that invokes an agent in its sandbox. */
export type AgentInvoke = z.infer<typeof AgentInvokeSchema>;

/** What an agent answered, and what it cost. */
export const AgentReplySchema = z.object({
  text: z.string(),
  tokensIn: integer(),
  tokensOut: integer(),
  /** Milliseconds. */
  latencyMs: integer(),
});
/** What an agent answered, and what it cost. */
export type AgentReply = z.infer<typeof AgentReplySchema>;
