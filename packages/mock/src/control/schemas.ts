import { PaginationMetaSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import { FaultSchema, FaultTargetSchema } from '../world/faults/fault.ts';

/** A schema with a description for the OpenAPI document. */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  schema.check(z.describe(description));

/** The data of an operation that returns nothing. */
export const NOTHING = z.strictObject({});

export const DELETED = z.strictObject({ deleted: z.literal(true) });

export const PAGE = PaginationMetaSchema;

/** The parameters that select a part of a list. */
export const paging = {
  limit: described(z.optional(z.int()), 'The length of the page, from 1 to 10,000; 1,000 by default.'),
  offset: described(z.optional(z.int()), 'How many entries to skip.'),
};

const milliseconds = described(z.number(), 'Milliseconds since 1970 on the clock of the mock.');

export const MomentSchema = z.strictObject({ now: z.string() });

export const ClockSchema = z.strictObject({ now: z.string(), kind: z.enum(['virtual', 'system']) });

export const PlannedFaultSchema = z.strictObject({
  id: z.string(),
  operation: FaultTargetSchema,
  fault: described(z.nullable(FaultSchema), 'Null for a function of the process that serves the mock.'),
  once: z.boolean(),
});

export const LoggedRequestSchema = z.strictObject({
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
  fault: z.optional(FaultSchema),
  at: milliseconds,
  durationMs: described(z.number(), 'How long it took, on the clock of the mock.'),
});

export const DeliverySchema = z.strictObject({
  id: z.string(),
  endpointId: z.string(),
  url: z.string(),
  messageId: z.string(),
  event: z.string(),
  data: z.unknown(),
  body: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(
    z.strictObject({
      at: milliseconds,
      durationMs: described(z.number(), 'How long it took, on the clock of the mock.'),
      status: z.optional(z.int()),
      signature: described(z.record(z.string(), z.string()), 'The headers that sign it, as they were sent.'),
      error: z.optional(z.string()),
    }),
  ),
});

const RATE_LIMIT = 'a whole number of requests per minute, { requests, perMs }, or null for no limit';

/**
 * A rate limit as callers write it. JSON has no `Infinity`, so no limit is null.
 *
 * @param more Further fields of the object.
 */
export const rateLimitSchema = <More extends z.core.$ZodShape>(more: More) =>
  described(
    z.union(
      [z.null(), z.int(), z.strictObject({ requests: z.nullable(z.int()), perMs: z.number(), ...more })],
      {
        error: `must be ${RATE_LIMIT}`,
      },
    ),
    `The rate limit: ${RATE_LIMIT}.`,
  );

export const KeyInitSchema = z.strictObject({
  key: described(z.optional(z.string()), 'The key itself; a new one by default.'),
  scopes: described(z.optional(z.array(z.string())), 'What it may do; everything by default.'),
  rateLimit: z.optional(rateLimitSchema({})),
});

export const ListedKeySchema = z.strictObject({
  id: z.string(),
  scopes: z.array(z.string()),
  rateLimit: z.strictObject({
    requests: described(z.nullable(z.int()), 'Null for no limit.'),
    perMs: z.number(),
  }),
  used: described(z.int(), 'The requests in its window now.'),
});

const SIGNATURE = 'an object such as { "header": "x-signature" }, or "standard-webhooks"';

export const EndpointSchema = z.strictObject({
  url: z.string(),
  secret: z.string(),
  signature: described(
    z.optional(
      z.union([z.literal('standard-webhooks'), z.looseObject({ header: z.string() })], {
        error: `must be ${SIGNATURE}`,
      }),
    ),
    `How deliveries are signed: ${SIGNATURE}.`,
  ),
  headers: described(z.optional(z.record(z.string(), z.string())), 'Headers to send with each delivery.'),
  idHeader: described(z.optional(z.string()), 'The header for the id of the event, the same for duplicates.'),
  retries: described(z.optional(z.array(z.number())), 'Milliseconds to wait before each retry.'),
  timeout: described(z.optional(z.nullable(z.number())), 'Milliseconds of an attempt; null for no limit.'),
  concurrency: described(z.optional(z.int()), 'How many attempts may be under way at once.'),
});

export const ListedEndpointSchema = z.strictObject({
  id: z.string(),
  url: z.string(),
  signature: described(z.unknown(), 'The options of the signature, or the name of its scheme.'),
  idHeader: z.optional(z.string()),
  retries: z.array(z.number()),
  timeout: z.nullable(z.number()),
  concurrency: z.int(),
});

export const SnapshotSchema = z.strictObject({ id: z.string(), takenAt: z.string() });

const pattern = {
  operation: z.optional(z.string()),
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

export const PatternSchema = z.strictObject(pattern);

export const ExpectationSchema = z.strictObject({
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

export const CountSchema = z.strictObject({ count: z.int() });
