import * as z from 'zod/mini';
import type { Agent, AgentInvoke, AgentReply } from '../types/agent.ts';
import { DateTimeSchema, IdSchema, integer, text } from './fields.ts';
import { objectOf, strictObjectOf } from './object-of.ts';

/** The schema of an agent. */
export const AgentSchema = objectOf<Agent>()({
  id: IdSchema,
  name: z.string(),
  description: z.nullable(z.string()),
  llmProvider: z.string(),
  llmModel: z.nullable(z.string()),
  updatedAt: DateTimeSchema,
});

/** The schema of the body that invokes an agent. */
export const AgentInvokeSchema = strictObjectOf<AgentInvoke>()({
  userMessage: text({ minLength: 1, maxLength: 4000 }),
});

/** The schema of what an agent replies. */
export const AgentReplySchema = objectOf<AgentReply>()({
  text: z.string(),
  tokensIn: integer(),
  tokensOut: integer(),
  latencyMs: integer(),
});
