import * as z from 'zod/mini';
import { DateTimeSchema, IdSchema, integer, text } from './fields.ts';

/** The schema of an agent. */
export const AgentSchema = z.object({
  /** The id of the agent, a UUID. */
  id: IdSchema,
  /** The name of the agent. */
  name: z.string(),
  /** What the agent is for; `null` if it has no description. */
  description: z.nullable(z.string()),
  /** The provider of the language model. */
  llmProvider: z.string(),
  /** The language model; `null` if none is set. */
  llmModel: z.nullable(z.string()),
  /** When the agent was last changed, as an RFC 3339 date-time. */
  updatedAt: DateTimeSchema,
});

/** The schema of the body that invokes an agent. */
export const AgentInvokeSchema = z.strictObject({
  /** The message to reply to, of 1 to 4000 characters (Unicode code points). */
  userMessage: text({ minLength: 1, maxLength: 4000 }),
});

/** The schema of what an agent replies. */
export const AgentReplySchema = z.object({
  /** The generated text. */
  text: z.string(),
  /** The number of tokens that the model read. */
  tokensIn: integer(),
  /** The number of tokens that the model generated. */
  tokensOut: integer(),
  /** The time that the agent took, in milliseconds. */
  latencyMs: integer(),
});
