import * as z from 'zod/mini';
import { integer } from './fields.ts';

/** The schema of the position of a page in its list. */
export const PaginationMetaSchema = z.object({
  /** The number of rows in the whole list. */
  total: integer({ minimum: 0 }),
  /** The maximum number of rows in this page. */
  limit: integer({ minimum: 0 }),
  /** The number of rows before this page. */
  offset: integer({ minimum: 0 }),
});

/** The schema of the body of every error response. */
export const ErrorEnvelopeSchema = z.object({
  /** Always `false` for an error. */
  success: z.literal(false),
  /** What went wrong, in words for people. */
  error: z.string(),
  /**
   * What went wrong, for programs: `API_KEY_REQUIRED`, `API_KEY_INVALID`, `SCOPE_REQUIRED`, `RATE_LIMIT_EXCEEDED` or a
   * code that the API does not publish.
   */
  code: z.string(),
});

/** The fields that all bodies of successes share. */
const success = {
  /** Always `true` for a success. */
  success: z.literal(true),
};

/** The schema of the body of a response that carries one value. */
export const itemOf = <Data extends z.ZodMiniType>(data: Data) =>
  z.object({
    ...success,
    /** The value. */
    data,
  });

/** The schema of the body of a response that carries one page of a list. */
export const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    ...success,
    /** The rows of the page. */
    data: z.array(row),
    /** The position of the page in its list. */
    meta: PaginationMetaSchema,
  });

/** The schema of the body of a response that carries a whole list. */
export const listOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    ...success,
    /** The rows of the list. */
    data: z.array(row),
    /** The size of the list. The API does not promise to send it. */
    meta: z.optional(PaginationMetaSchema),
  });
