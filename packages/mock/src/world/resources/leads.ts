import type { Lead } from '@confab/client/contract';
import { LeadSchema, LeadStatusSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import { normalizePhone } from '../store/phone.ts';
import { StoredDateTimeSchema, StoredIdSchema } from './fields.ts';
import { pipelines } from './pipelines.ts';
import type { Resource } from './resource.ts';

/** A lead with its notes, which the API accepts but never returns. */
export interface StoredLead extends Lead {
  /** The notes on the lead, or null. */
  notes: string | null;
}

export const leads: Resource<StoredLead> = {
  name: 'leads',
  noun: 'lead',
  schema: z.strictObject({
    ...LeadSchema.shape,
    id: StoredIdSchema,
    pipelineId: StoredIdSchema,
    createdAt: StoredDateTimeSchema,
    notes: z.nullable(z.string()),
  }),
  openEnums: { status: LeadStatusSchema },
  newestBy: 'createdAt',
  filters: ['status', 'source', 'pipelineId'],
  unique: 'phone',
  references: { pipelineId: { to: pipelines, onDelete: 'reset' } },
  hidden: ['notes'],
  columns: ['displayName', 'phone', 'source', 'createdAt', 'status'],
  defaults: (values, context) => ({
    pipelineId: values.pipelineId ?? context.firstIdOf(pipelines),
    phone: null,
    displayName: null,
    email: null,
    source: context.source,
    status: 'new',
    createdAt: context.now(),
    notes: null,
  }),
  // Only a normalized number can belong to a lead.
  toPhone: (phone, { collectionOf, defaultCountry }) =>
    collectionOf(leads).table.findUnique(phone) === undefined ? normalizePhone(phone, defaultCountry) : phone,
};

const cache = new WeakMap<StoredLead, Lead>();

/**
 * Returns the lead as the API returns it, without its notes. The result is cached, because its JSON is cached by the
 * object.
 */
export const toLead = (row: StoredLead): Lead => {
  const known = cache.get(row);
  if (known !== undefined) {
    return known;
  }
  const { notes: _, ...lead } = row;
  cache.set(row, Object.freeze(lead));
  return lead;
};
