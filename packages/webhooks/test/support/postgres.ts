import type { PostgresServer } from '@confab/internal/test-support';
import { createPostgresServer } from '@confab/internal/test-support';
import type { WebhookError } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import type { PostgresInbox, PostgresInboxOptions } from '@confab/webhooks/postgres';
import { postgresInbox } from '@confab/webhooks/postgres';
import { PGlite } from '@electric-sql/pglite';
import type { PoolConfig } from 'pg';
import { Pool } from 'pg';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { message, requestWith, secret, signature } from './receiver.ts';

let server: PostgresServer;
let pglite: PGlite;

// Started before the tests, because on a busy machine the start may take longer than a test may.
beforeAll(async () => {
  [server, pglite] = await Promise.all([createPostgresServer(), PGlite.create()]);
}, 120_000);
afterAll(async () => {
  await server?.remove();
  await pglite?.close();
}, 60_000);

/** The port of the one server of a file. */
export const portOfServer = (): number => server.port;

/** Opens a pool on a new schema of the shared server. */
export const openPool = async ({ options = '', ...config }: PoolConfig = {}): Promise<Pool> => {
  const schema = `test_${crypto.randomUUID().replaceAll('-', '')}`;
  const where = { host: '127.0.0.1', user: 'postgres', database: 'postgres' };
  const pool = new Pool({
    ...where,
    port: portOfServer(),
    ...config,
    options: `-c search_path=${schema} ${options}`,
  });
  onTestFinished(() => pool.end());
  await pool.query(`create schema ${schema}`);
  return pool;
};

/** Empties the one PGlite of a file. */
export const openPglite = async (): Promise<PGlite> => {
  await pglite.exec('drop schema public cascade; create schema public');
  return pglite;
};

/** The method of either client that the handlers of tests call. */
export interface Tx {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A receiver with an inbox, and a table for what its handlers do. */
export const receiverOn = async (
  pool: Pool | PGlite,
  options: Partial<PostgresInboxOptions<Pool | PGlite>> = {},
) => {
  const inbox = postgresInbox({
    pool,
    key: ({ headers }) => headers.get('x-id') ?? undefined,
    ...options,
  }) as PostgresInbox<Tx>;
  await inbox.migrate();
  const db = pool as Tx;
  await db.query('create table if not exists effects (body text not null)');
  const webhooks = createWebhooks({ secret, signature, dedupe: inbox });
  const errors: WebhookError[] = [];
  webhooks.onError((error) => errors.push(error));
  return {
    inbox,
    webhooks,
    errors,
    /** Adds a handler that writes the text of each message, and then does something else. */
    onMessage: (then: (tx: Tx, body: string) => unknown = () => {}) =>
      webhooks.on('message.created', async ({ data: { body } }, { tx }) => {
        await tx.query('insert into effects values ($1)', [body]);
        await then(tx, body);
      }),
    /** Resolves to the status of the response. */
    deliver: async (id: string | undefined, body = id) => {
      const payload = { ...message, data: { ...message.data, body } };
      const request = await requestWith(payload, { headers: id === undefined ? {} : { 'x-id': id } });
      return (await webhooks.fetch(request)).status;
    },
    effects: async () => {
      const { rows } = await db.query('select body from effects order by body');
      return (rows as { body: string }[]).map(({ body }) => body);
    },
  };
};
