import type { OperationId } from '@confab/client/contract';
import * as z from 'zod/mini';
import { FaultSchema } from '../../world/faults/fault.ts';
import type { ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { described, moment, PAGE, paging } from '../schemas.ts';

const LoggedRequestSchema = z.strictObject({
  operation: z.optional(z.string()),
  method: z.string(),
  path: z.string(),
  keyId: z.optional(z.string()),
  params: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.unknown()),
  search: z.string(),
  body: z.optional(z.unknown()),
  bodyTruncated: z.boolean(),
  status: z.optional(z.int()),
  error: described(
    z.optional(z.strictObject({ code: z.string(), message: z.string() })),
    'Why the response was an error, as its body says.',
  ),
  responseBody: described(
    z.optional(z.string()),
    'The text of the response body; of a longer one, the first 4,096 characters.',
  ),
  fault: z.optional(FaultSchema),
  at: moment,
  durationMs: described(z.number(), 'How long it took, on the clock of the mock.'),
});

/** Any text: the log checks the name of the operation, and suggests a known one. */
const operation = z.optional(z.string() as unknown as z.ZodMiniType<OperationId>);

const pattern = {
  operation,
  method: z.optional(z.string()),
  path: z.optional(z.string()),
  status: z.optional(z.int()),
  keyId: z.optional(z.string()),
  params: z.optional(z.record(z.string(), z.string())),
  query: z.optional(z.record(z.string(), z.unknown())),
  body: described(
    z.optional(z.unknown()),
    'The body, or a part of it: a request matches if its body has these fields, and perhaps others.',
  ),
};

const ExpectationSchema = z.strictObject({
  ...pattern,
  times: described(
    z.optional(
      z.union([z.int(), z.strictObject({ min: z.optional(z.int()), max: z.optional(z.int()) })], {
        error: 'must be a whole number of requests, or { min, max }',
      }),
    ),
    'Exactly this many requests, or a range: { "min": 2 }, { "max": 3 }, or both.',
  ),
  atLeast: described(z.optional(z.int()), 'This many requests or more; 1 if no number is given.'),
  atMost: described(z.optional(z.int()), 'This many requests or fewer.'),
});

const CountSchema = z.strictObject({ count: z.int() });

/** The requests that the mock received. */
export const requests: readonly ControlOperation[] = [
  controlOperation('requests.list', {
    summary: 'Returns the latest requests, oldest first.',
    query: z.strictObject({
      operation,
      status: described(z.optional(z.int()), 'The status of the response.'),
      method: z.optional(z.string()),
      ...paging,
    }),
    data: z.array(LoggedRequestSchema),
    meta: PAGE,
    run: ({ mock }, { query }) => mock.requests.list(query),
  }),
  controlOperation('requests.count', {
    summary: 'Counts the requests that match a pattern.',
    body: z.strictObject(pattern),
    data: CountSchema,
    run: ({ mock }, { body }) => ({ count: mock.requests.count(body) }),
  }),
  controlOperation('requests.verify', {
    summary: 'Responds with 422, and says why, unless the expected number of requests match a pattern.',
    body: ExpectationSchema,
    data: CountSchema,
    refusals: { 422: 'Too few or too many requests match; `error` describes the latest one.' },
    run: ({ mock }, { body }) => ({ count: mock.requests.verify(body) }),
  }),
  controlOperation('requests.clear', {
    summary: 'Removes all requests from the log.',
    run: ({ mock }) => mock.requests.clear(),
  }),
];
