import * as z from 'zod/mini';
import { DateTimeSchema, integer } from './fields.ts';

/** The period that a funnel is for. */
export const FunnelPeriodSchema = z.object({ from: DateTimeSchema, to: DateTimeSchema });
/** The period that a funnel is for. */
export type FunnelPeriod = z.infer<typeof FunnelPeriodSchema>;

/** How many leads reached each step within a range of time. */
export const FunnelSchema = z.object({
  newLeads: integer(),
  activeLeads: integer(),
  qualified: integer(),
  converted: integer(),
  conversionRate: z.number(),
  range: FunnelPeriodSchema,
});
/** How many leads reached each step within a range of time. */
export type Funnel = z.infer<typeof FunnelSchema>;

/** The range of a funnel; the service chooses one if left out. */
export const FunnelQuerySchema = z.strictObject({
  from: z.optional(DateTimeSchema),
  to: z.optional(DateTimeSchema),
});
/** The range of a funnel; the service chooses one if left out. */
export type FunnelQuery = z.infer<typeof FunnelQuerySchema>;
