import * as z from 'zod/mini';
import { StoredDateTimeSchema, StoredIdSchema } from './fields.ts';
import type { Resource } from './resource.ts';

/**
 * A pipeline of leads and conversations. The API has no operation for pipelines, but returns their ids.
 */
export interface Pipeline {
  /** A UUID. */
  id: string;
  /** The name of the pipeline. */
  name: string;
  /** When the pipeline was created: an RFC 3339 date-time in UTC. */
  createdAt: string;
}

export const pipelines: Resource<Pipeline> = {
  name: 'pipelines',
  noun: 'pipeline',
  schema: z.strictObject({ id: StoredIdSchema, name: z.string(), createdAt: StoredDateTimeSchema }),
  newestBy: 'createdAt',
  filters: [],
  columns: ['name', 'id', 'createdAt'],
  defaults: (_, { now }) => ({ name: 'Sales', createdAt: now() }),
};
