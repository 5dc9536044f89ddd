import * as z from 'zod/mini';
import { DateTimeSchema, IdSchema, openEnum, paging } from './fields.ts';

/** The schema of a lead's status. */
export const LeadStatusSchema = z.enum(['new', 'active', 'qualified', 'converted', 'lost']);

/** The schema of a lead. */
export const LeadSchema = z.object({
  /** The id of the lead, a UUID. */
  id: IdSchema,
  /** The id of the pipeline that the lead belongs to, a UUID. */
  pipelineId: IdSchema,
  /** The phone number in E.164 format, such as `+5511987654321`; `null` if the lead has none. */
  phone: z.nullable(z.string()),
  /** The name to show for the lead; `null` if it has none. */
  displayName: z.nullable(z.string()),
  /** The email address of the lead; `null` if it has none. */
  email: z.nullable(z.string()),
  /** Where the lead came from. */
  source: z.string(),
  /** The step that the lead has reached. New values may be added. */
  status: openEnum(LeadStatusSchema),
  /** When the lead was created, as an RFC 3339 date-time. */
  createdAt: DateTimeSchema,
});

/** The schema of the body that creates a lead. */
export const LeadCreateSchema = z.strictObject({
  /**
   * The phone number in E.164 format, such as `+5511987654321`, or a value that the service can normalize to it. No two
   * leads of an account have the same one.
   */
  phone: z.string(),
  /** The name to show for the lead; `null` for none. */
  displayName: z.optional(z.nullable(z.string())),
  /** The email address of the lead; `null` for none. */
  email: z.optional(z.nullable(z.string())),
  /** Where the lead came from. The API does not publish the default. */
  source: z.optional(z.string()),
  /** The id of the pipeline to put the lead into, a UUID; the first pipeline of the account if it is left out. */
  pipelineId: z.optional(IdSchema),
  /** Internal notes about the lead; `null` for none. The API accepts notes but never returns them. */
  notes: z.optional(z.nullable(z.string())),
});

/** The schema of the body that updates a lead. */
export const LeadUpdateSchema = z.strictObject({
  /** The name to show for the lead; `null` removes it. */
  displayName: z.optional(z.nullable(z.string())),
  /** The email address of the lead; `null` removes it. */
  email: z.optional(z.nullable(z.string())),
  /** Internal notes about the lead; `null` removes them. The API accepts notes but never returns them. */
  notes: z.optional(z.nullable(z.string())),
  /** The step that the lead has reached. */
  status: z.optional(LeadStatusSchema),
});

/** The schema of the query that lists leads. */
export const LeadListQuerySchema = z.strictObject({
  ...paging,
  /** Only leads with this status. The API accepts any string here. */
  status: z.optional(openEnum(LeadStatusSchema)),
  /** Only leads from this source. */
  source: z.optional(z.string()),
  /** Only rows of the pipeline with this id, a UUID. */
  pipelineId: z.optional(IdSchema),
  /** Only leads that match this text. The API does not publish which fields it searches. */
  search: z.optional(z.string()),
});
