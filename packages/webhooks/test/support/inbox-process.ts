import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';
import type { PostgresInbox } from '@confab/webhooks/postgres';
import { postgresInbox } from '@confab/webhooks/postgres';
import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';

// A receiver in its own process, which may be killed at any moment. It ends with its parent.
process.once('disconnect', () => process.exit(1));
const { port, folder } = JSON.parse(process.argv[2] ?? '') as { port?: number; folder?: string };
const pool =
  folder === undefined
    ? new Pool({ host: '127.0.0.1', user: 'postgres', database: 'postgres', port, max: 8 })
    : await PGlite.create(folder);
const inbox = postgresInbox({
  pool,
  key: ({ headers }) => headers.get('x-id') ?? undefined,
  lockTimeoutMs: 200,
});
const webhooks = createWebhooks({
  secret: 'a secret of the test',
  signature: { header: 'x-sig' },
  dedupe: inbox as PostgresInbox<Pick<PGlite, 'query'>>,
});
webhooks.onError(() => {});

/** Adds a handler that does a part of the work, and then sometimes fails, or swallows the error of a query. */
const work = (table: string) =>
  webhooks.on('message.created', async ({ data: { body } }, { tx }) => {
    await tx.query(`insert into ${table} values ($1)`, [body]);
    const chance = Math.random();
    if (chance < 0.05) {
      throw new Error('the handler failed');
    }
    if (chance < 0.1) {
      await tx.query('select 1 / 0').catch(() => {});
    }
  });
work('first');
work('second');

const server = createServer(toNodeHandler(webhooks)).listen(0, '127.0.0.1', () =>
  process.send?.((server.address() as AddressInfo).port),
);
