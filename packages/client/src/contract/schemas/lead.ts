import * as z from 'zod/mini';
import { closedEnum, DateTimeSchema, IdSchema, openEnum, paging } from './fields.ts';

/** Where a lead stands. */
export const LeadStatusSchema = closedEnum(['new', 'active', 'qualified', 'converted', 'lost']);
/** Where a lead stands. */
export type LeadStatus = z.infer<typeof LeadStatusSchema>;

/** A contact or prospect. */
export const LeadSchema = z.object({
  id: IdSchema,
  pipelineId: IdSchema,
  phone: z.nullable(z.string()),
  displayName: z.nullable(z.string()),
  email: z.nullable(z.string()),
  source: z.string(),
  status: openEnum(LeadStatusSchema),
  createdAt: DateTimeSchema,
});
/** A contact or prospect. */
export type Lead = z.infer<typeof LeadSchema>;

/** The body that creates a lead. */
export const LeadCreateSchema = z.strictObject({
  /** E.164 (`+5511987654321`), or a value that the service can normalise to it. */
  phone: z.string(),
  displayName: z.optional(z.nullable(z.string())),
  email: z.optional(z.nullable(z.string())),
  source: z.optional(z.string()),
  /** The target pipeline; the account's first one if left out. */
  pipelineId: z.optional(IdSchema),
  /** Accepted here, never sent back. */
  notes: z.optional(z.nullable(z.string())),
});
/** The body that creates a lead. */
export type LeadCreate = z.infer<typeof LeadCreateSchema>;

/** The body that updates a lead: only the fields given are changed. */
export const LeadUpdateSchema = z.strictObject({
  displayName: z.optional(z.nullable(z.string())),
  email: z.optional(z.nullable(z.string())),
  /** Accepted here, never sent back. */
  notes: z.optional(z.nullable(z.string())),
  status: z.optional(LeadStatusSchema),
});
/** The body that updates a lead: only the fields given are changed. */
export type LeadUpdate = z.infer<typeof LeadUpdateSchema>;

/** What a list of leads can be narrowed by. The API types `status` as any string here, so any string passes. */
export const LeadListQuerySchema = z.strictObject({
  ...paging,
  status: z.optional(openEnum(LeadStatusSchema)),
  source: z.optional(z.string()),
  pipelineId: z.optional(IdSchema),
  search: z.optional(z.string()),
});
/** What a list of leads can be narrowed by. */
export type LeadListQuery = z.infer<typeof LeadListQuerySchema>;
