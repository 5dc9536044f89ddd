import * as z from 'zod/mini';
import type { ControlContext, ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import {
  DELETED,
  deleted,
  described,
  EndpointSchema,
  existing,
  KeyInitSchema,
  rateLimitSchema,
} from '../schemas.ts';
import type { WorldOptions, Worlds } from '../worlds.ts';

const rows = z.array(z.record(z.string(), z.unknown()));

/** The options of a world. The mock checks what is in them, and suggests known names. */
const WorldSchema = z.strictObject({
  seed: described(z.optional(z.int()), 'The same seed gives the same ids and sample data; 1 by default.'),
  data: described(
    z.optional(
      z.union([z.enum(['minimal', 'demo']), z.record(z.string(), rows)], {
        error: 'must be "minimal", "demo", or lists of rows such as { "leads": [] }',
      }),
    ),
    'The rows to start with; `minimal` by default.',
  ),
  clock: described(
    z.optional(z.enum(['virtual', 'system'])),
    "The kind of clock; by default, the same as the server's.",
  ),
  keys: described(z.optional(z.array(KeyInitSchema)), 'Keys in addition to the one of the response.'),
  rateLimit: z.optional(
    rateLimitSchema({
      headers: described(
        z.optional(z.enum(['refused', 'always'])),
        'Which responses carry the rate-limit headers; `refused` by default.',
      ),
    }),
  ),
  scopes: described(z.optional(z.record(z.string(), z.string())), 'Scopes that differ from the contract.'),
  behavior: described(
    z.optional(z.record(z.string(), z.unknown())),
    'What the service does where its documentation is silent.',
  ),
  latency: z.optional(
    z.union([z.number(), z.strictObject({ min: z.number(), max: z.number() })], {
      error: 'must be milliseconds, or { min, max }',
    }),
  ),
  webhooks: z.optional(
    z.strictObject({
      endpoints: z.optional(z.array(EndpointSchema)),
      events: z.optional(
        z.strictObject({
          newConversation: z.optional(z.string()),
          statusChange: z.optional(z.string()),
        }),
      ),
    }),
  ),
  strict: z.optional(z.boolean()),
  maxLogBytes: described(z.optional(z.number()), 'Bytes for its log of requests; 1 MiB by default.'),
  defaultCountry: z.optional(z.string()),
});

/** @throws {@link Refusal} 404, when called within a world, which has no worlds of its own. */
const worldsOf = ({ worlds }: ControlContext): Worlds =>
  existing(worlds, "Worlds can't be nested. Call POST /__mock/worlds at the root of the server.");

const WORLD = {
  id: z.string(),
  path: described(z.string(), 'The path of its base URL.'),
};

/** Isolated mocks behind one server, so that parallel tests share nothing. */
export const worlds: readonly ControlOperation[] = [
  controlOperation('worlds.create', {
    summary: 'Creates an isolated world, with a base URL, key, clock and data of its own.',
    body: WorldSchema,
    data: z.strictObject({
      ...WORLD,
      baseUrl: z.string(),
      apiKey: z.string(),
      ttlMs: described(
        z.nullable(z.number()),
        'Milliseconds of real time after which it is deleted, if unused; null for never.',
      ),
    }),
    status: 201,
    refusals: { 507: 'The worlds of the server would take too much memory.' },
    run: (context, { body, baseUrl }) => worldsOf(context).create(body as WorldOptions, baseUrl),
  }),
  controlOperation('worlds.list', {
    summary: 'Lists the worlds, oldest first.',
    data: z.array(
      z.strictObject({
        ...WORLD,
        unusedMs: described(z.number(), 'Milliseconds of real time since it was last used.'),
        busy: described(z.int(), 'The requests to it that are under way.'),
      }),
    ),
    run: (context) => worldsOf(context).list(),
  }),
  controlOperation('worlds.delete', {
    summary: 'Deletes a world, with everything that is under way in it.',
    data: DELETED,
    run: async (context, { params: { id } }) =>
      deleted(await worldsOf(context).delete(id), `No world has the id ${id}. It may have expired.`),
  }),
];
