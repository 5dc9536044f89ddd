import * as z from 'zod/mini';
import type { ErrorEnvelope } from '../types/envelope.ts';
import type { PaginationMeta } from '../types/paging.ts';
import { always, integer } from './fields.ts';
import { objectOf } from './object-of.ts';

/** The schema of the position of a page in its list. */
export const PaginationMetaSchema = objectOf<PaginationMeta>()({
  total: integer({ minimum: 0 }),
  limit: integer({ minimum: 0 }),
  offset: integer({ minimum: 0 }),
});

/** The schema of the body of every error response. */
export const ErrorEnvelopeSchema = objectOf<ErrorEnvelope>()({
  success: always(false),
  error: z.string(),
  code: z.string(),
});

/** The schema of the body of a response that carries one value. */
export const itemOf = <Data extends z.ZodMiniType>(data: Data) => z.object({ success: always(true), data });

/** The schema of the body of a response that carries one page of a list. */
export const pageOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ success: always(true), data: z.array(row), meta: PaginationMetaSchema });

/** The schema of the body of a response that carries a whole list. The API does not promise `meta` there. */
export const listOf = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({ success: always(true), data: z.array(row), meta: z.optional(PaginationMetaSchema) });
