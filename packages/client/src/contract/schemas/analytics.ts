import * as z from 'zod/mini';
import type { Funnel, FunnelPeriod, FunnelQuery } from '../types/analytics.ts';
import { DateTimeSchema, integer } from './fields.ts';
import { objectOf, strictObjectOf } from './object-of.ts';

/** The schema of the period that a funnel is for. */
export const FunnelPeriodSchema = objectOf<FunnelPeriod>()({ from: DateTimeSchema, to: DateTimeSchema });

/** The schema of a funnel. */
export const FunnelSchema = objectOf<Funnel>()({
  newLeads: integer(),
  activeLeads: integer(),
  qualified: integer(),
  converted: integer(),
  conversionRate: z.number(),
  range: FunnelPeriodSchema,
});

/** The schema of the query that reads the funnel. */
export const FunnelQuerySchema = strictObjectOf<FunnelQuery>()({
  from: z.optional(DateTimeSchema),
  to: z.optional(DateTimeSchema),
});
