import * as z from 'zod/mini';
import type { ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { described, existing, KeyInitSchema } from '../schemas.ts';

/** The API keys. */
export const keys: readonly ControlOperation[] = [
  controlOperation('keys.list', {
    summary: 'Lists the keys, oldest first: their ids, and not the keys themselves.',
    data: z.array(
      z.strictObject({
        id: z.string(),
        scopes: z.array(z.string()),
        rateLimit: z.strictObject({
          requests: described(z.nullable(z.int()), 'Null for no limit.'),
          perMs: z.number(),
        }),
        used: described(z.int(), 'The requests in its window now.'),
      }),
    ),
    run: ({ mock }) => mock.keys.list(),
  }),
  controlOperation('keys.create', {
    summary: 'Creates a key.',
    body: KeyInitSchema,
    data: z.strictObject({ id: z.string(), key: z.string() }),
    status: 201,
    run: ({ mock }, { body }) => mock.keys.create(body),
  }),
  controlOperation('keys.revoke', {
    // Not in the path, which servers and proxies log.
    summary: 'Makes a key invalid. `key` is the key, or its id.',
    body: z.strictObject({ key: z.string() }),
    data: z.strictObject({ revoked: z.literal(true) }),
    run: ({ mock }, { body }) => ({
      revoked: existing(
        mock.keys.revoke(body.key),
        '`key` must be a valid key or the id of one. It may have been revoked already. GET /__mock/keys lists the ids.',
      ),
    }),
  }),
];
