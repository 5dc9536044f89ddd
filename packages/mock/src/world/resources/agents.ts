import type { Agent } from '@confab/client/contract';
import { AgentSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import { StoredDateTimeSchema, StoredIdSchema } from './fields.ts';
import type { Resource } from './resource.ts';

export const agents: Resource<Agent> = {
  name: 'agents',
  noun: 'agent',
  schema: z.strictObject({ ...AgentSchema.shape, id: StoredIdSchema, updatedAt: StoredDateTimeSchema }),
  newestBy: 'updatedAt',
  filters: [],
  columns: ['name', 'description', 'llmProvider', 'updatedAt'],
  defaults: (_, { now }) => ({
    name: 'Assistant',
    description: null,
    llmProvider: 'mock',
    llmModel: null,
    updatedAt: now(),
  }),
};
