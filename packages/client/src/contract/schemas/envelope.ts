import * as z from 'zod/mini';
import { always, integer } from './fields.ts';

/** Where a page stands in its list. */
export const PaginationMetaSchema = z.object({ total: integer(), limit: integer(), offset: integer() });
/** Where a page stands in its list. */
export type PaginationMeta = z.infer<typeof PaginationMetaSchema>;

/** The body of every error response. */
export const ErrorEnvelopeSchema = z.object({
  success: always(false),
  error: z.string(),
  code: z.string(),
});
/** The body of every error response. */
export type ErrorEnvelope = z.infer<typeof ErrorEnvelopeSchema>;

/** The body of a response that carries one value. */
export const itemOf = <Data extends z.ZodMiniType>(data: Data) => z.object({ success: always(true), data });

/** The body of a response that carries one page of a list. */
export const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ success: always(true), data: z.array(row), meta: PaginationMetaSchema });

/** The body of a response that carries a whole list: its `meta` is not promised. */
export const listOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ success: always(true), data: z.array(row), meta: z.optional(PaginationMetaSchema) });
