import type { OperationId } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { ControlOperation } from '../control-operation.ts';
import { controlOperation } from '../control-operation.ts';
import {
  CountSchema,
  described,
  ExpectationSchema,
  LoggedRequestSchema,
  NOTHING,
  PAGE,
  PatternSchema,
  paging,
} from '../schemas.ts';

type WithOperation<T> = T & { readonly operation?: OperationId | undefined };

/** The requests that the mock received. */
export const requests: readonly ControlOperation[] = [
  controlOperation('requests.list', {
    summary: 'Returns the latest requests, oldest first.',
    query: z.strictObject({
      operation: z.optional(z.string()),
      status: described(z.optional(z.int()), 'The status of the response.'),
      method: z.optional(z.string()),
      ...paging,
    }),
    data: z.array(LoggedRequestSchema),
    meta: PAGE,
    // The log checks the name of the operation, and suggests a known one; so it does below.
    run: ({ mock }, { query }) => mock.requests.list(query as WithOperation<typeof query>),
  }),
  controlOperation('requests.count', {
    summary: 'Counts the requests that match a pattern.',
    body: PatternSchema,
    data: CountSchema,
    run: ({ mock }, { body }) => ({
      data: { count: mock.requests.count(body as WithOperation<typeof body>) },
    }),
  }),
  controlOperation('requests.verify', {
    summary: 'Responds with 422, and says why, unless the expected number of requests match a pattern.',
    body: ExpectationSchema,
    data: CountSchema,
    refusals: { 422: 'Too few or too many requests match; `error` describes the nearest one.' },
    run: ({ mock }, { body }) => ({
      data: { count: mock.requests.verify(body as WithOperation<typeof body>) },
    }),
  }),
  controlOperation('requests.clear', {
    summary: 'Removes all requests from the log.',
    data: NOTHING,
    run({ mock }) {
      mock.requests.clear();
      return { data: {} };
    },
  }),
];
