import * as z from 'zod/mini';
import type { Lead, LeadCreate, LeadListQuery, LeadStatus, LeadUpdate } from '../types/lead.ts';
import type { ClosedEnum } from './fields.ts';
import { closedEnum, DateTimeSchema, IdSchema, openEnum, paging } from './fields.ts';
import { objectOf, strictObjectOf } from './object-of.ts';

/** The schema of a lead's status. */
export const LeadStatusSchema: ClosedEnum<LeadStatus> = closedEnum([
  'new',
  'active',
  'qualified',
  'converted',
  'lost',
]);

/** The schema of a lead. */
export const LeadSchema = objectOf<Lead>()({
  id: IdSchema,
  pipelineId: IdSchema,
  phone: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  email: z.nullable(z.string()),
  source: z.string(),
  status: openEnum(LeadStatusSchema),
  createdAt: DateTimeSchema,
});

/** The schema of the body that creates a lead. */
export const LeadCreateSchema = strictObjectOf<LeadCreate>()({
  phone: z.string(),
  displayName: z.optional(z.nullable(z.string())),
  email: z.optional(z.nullable(z.string())),
  source: z.optional(z.string()),
  pipelineId: z.optional(IdSchema),
  notes: z.optional(z.nullable(z.string())),
});

/** The schema of the body that updates a lead. */
export const LeadUpdateSchema = strictObjectOf<LeadUpdate>()({
  displayName: z.optional(z.nullable(z.string())),
  email: z.optional(z.nullable(z.string())),
  notes: z.optional(z.nullable(z.string())),
  status: z.optional(LeadStatusSchema),
});

/** The schema of the query that lists leads. The API types `status` as any string here, so any string passes. */
export const LeadListQuerySchema = strictObjectOf<LeadListQuery>()({
  ...paging,
  status: z.optional(openEnum(LeadStatusSchema)),
  source: z.optional(z.string()),
  pipelineId: z.optional(IdSchema),
  search: z.optional(z.string()),
});
