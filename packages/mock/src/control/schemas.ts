import { PaginationMetaSchema } from '@confab/client/contract';
import type { Signature } from '@confab/webhooks';
import { standardWebhooks } from '@confab/webhooks';
import * as z from 'zod/mini';
import { notFound } from '../errors/refusal.ts';
import {
  PipelineSchema,
  StoredAgentSchema,
  StoredConversationSchema,
  StoredLeadSchema,
  StoredMessageSchema,
} from '../world/store/rows.ts';
import type { CollectionName } from './routes.ts';

/** A schema with a description for the OpenAPI document. */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  schema.check(z.describe(description));

/** The rows of each collection. */
export const ROWS = {
  pipelines: PipelineSchema,
  agents: StoredAgentSchema,
  leads: StoredLeadSchema,
  conversations: StoredConversationSchema,
  messages: StoredMessageSchema,
} satisfies Record<CollectionName, z.ZodMiniObject>;

/** @throws {@link Refusal} 404, when what was asked for does not exist. */
export const existing = <T>(found: T | undefined | false, message: string): T => {
  if (found === undefined || found === false) {
    throw notFound(message);
  }
  return found;
};

export const DELETED = z.strictObject({ deleted: z.literal(true) });

/**
 * The data of an operation that deletes something, if that existed.
 *
 * @throws {@link Refusal} 404, when it did not.
 */
export const deleted = (existed: boolean, message: string): z.output<typeof DELETED> => ({
  deleted: existing(existed, message),
});

export const PAGE = PaginationMetaSchema;

/** The parameters that select a part of a list. */
export const paging = {
  limit: described(z.optional(z.int()), 'The length of the page, from 1 to 10,000; 1,000 by default.'),
  offset: described(z.optional(z.int()), 'How many entries to skip.'),
};

/** A moment in the log of a mock. */
export const moment = described(z.number(), 'Milliseconds since 1970 on the clock of the mock.');

export const NowSchema = z.strictObject({ now: z.string() });

export const ClockSchema = z.strictObject({ now: z.string(), kind: z.enum(['virtual', 'system']) });

/** A number where JSON, which has no `Infinity`, writes null for no limit. */
const limit = <Schema extends z.ZodMiniType<number>>(number: Schema) =>
  z.pipe(
    z.nullable(number),
    z.transform((value) => value ?? Number.POSITIVE_INFINITY),
  );

const RATE_LIMIT = 'a whole number of requests per minute, { requests, perMs }, or null for no limit';

/**
 * A rate limit.
 *
 * @param more Further fields of the object.
 */
export const rateLimitSchema = <More extends z.core.$ZodShape>(more: More) =>
  described(
    z.union([limit(z.int()), z.strictObject({ requests: limit(z.int()), perMs: z.number(), ...more })], {
      error: `must be ${RATE_LIMIT}`,
    }),
    `The rate limit: ${RATE_LIMIT}.`,
  );

export const KeyInitSchema = z.strictObject({
  key: described(z.optional(z.string()), 'The key itself; a new one by default.'),
  scopes: described(z.optional(z.array(z.string())), 'What it may do; everything by default.'),
  rateLimit: z.optional(rateLimitSchema({})),
});

const SIGNATURE = 'an object such as { "header": "x-signature" }, or "standard-webhooks"';

const signature = z.pipe(
  z.union([z.literal('standard-webhooks'), z.looseObject({ header: z.string() })], {
    error: `must be ${SIGNATURE}`,
  }),
  // The mock checks the options of a signature, and suggests known names.
  z.transform((given) => (given === 'standard-webhooks' ? standardWebhooks() : given) as Signature),
);

export const EndpointSchema = z.strictObject({
  url: z.string(),
  secret: z.string(),
  signature: described(z.optional(signature), `How deliveries are signed: ${SIGNATURE}.`),
  headers: described(z.optional(z.record(z.string(), z.string())), 'Headers to send with each delivery.'),
  idHeader: described(z.optional(z.string()), 'The header for the id of the event, the same for duplicates.'),
  retries: described(z.optional(z.array(z.number())), 'Milliseconds to wait before each retry.'),
  timeout: described(
    z.optional(limit(z.number())),
    'The timeout of each attempt in milliseconds; null for no limit.',
  ),
  concurrency: described(z.optional(z.int()), 'How many attempts may be under way at once.'),
});
