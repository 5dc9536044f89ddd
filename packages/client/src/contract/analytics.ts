import * as z from 'zod/mini';
import { DateTimeSchema, integer } from './fields.ts';

/** The schema of the period that a funnel is for. */
export const FunnelPeriodSchema = z.object({
  /** The start of the period, as an RFC 3339 date-time. */
  from: DateTimeSchema,
  /** The end of the period, as an RFC 3339 date-time. */
  to: DateTimeSchema,
});

/** The schema of a funnel. */
export const FunnelSchema = z.object({
  /** The number of new leads. */
  newLeads: integer(),
  /** The number of active leads. */
  activeLeads: integer(),
  /** The number of qualified leads. */
  qualified: integer(),
  /** The number of converted leads. */
  converted: integer(),
  /** The share of leads that converted. The API does not publish the formula. */
  conversionRate: z.number(),
  /** The period that the numbers are for. */
  range: FunnelPeriodSchema,
});

/** The schema of the query that reads the funnel. */
export const FunnelQuerySchema = z.strictObject({
  /** The start of the period, as an RFC 3339 date-time. The service chooses one if it is left out. */
  from: z.optional(DateTimeSchema),
  /** The end of the period, as an RFC 3339 date-time. The service chooses one if it is left out. */
  to: z.optional(DateTimeSchema),
});
