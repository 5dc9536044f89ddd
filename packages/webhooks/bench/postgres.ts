import { Pool } from 'pg';
import type { Contender } from '../../../scripts/bench/measure.ts';
import { createPostgresServer } from '../../internal/test-support/postgres-server.ts';
import { createWebhooks } from '../dist/index.js';
import { postgresInbox } from '../dist/postgres/index.js';

export const BY_HAND = 'the same transaction by hand';
export const INBOX = '`postgresInbox()`';

const options = { secret: 'a secret of the benchmark', signature: { header: 'x-webhook-signature' } };
const WORK = 'insert into messages (body) values ($1)';

/** Starts a Postgres server, and returns two ways to handle a new delivery in a transaction that remembers it. */
export const startPostgres = async () => {
  const server = await createPostgresServer();
  const pool = new Pool({ connectionString: server.url, max: 10 });
  const inbox = postgresInbox({ pool, key: () => 'never called' });
  await inbox.migrate();
  await pool.query('create table messages (body text not null)');

  const worker = createWebhooks({ ...options, dedupe: inbox });
  worker.on('message.created', async ({ data }, { tx }) => {
    await tx.query(WORK, [data.body]);
  });
  let count = 0;
  const next = () => {
    count += 1;
    const data = { conversationId: 'c1', channel: 'web', body: 'Lorem ipsum' };
    return { id: `delivery-${count}`, event: 'message.created', data, receivedAt: '', headers: {} };
  };

  const byHand = async () => {
    const { id, data } = next();
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rowCount } = await client.query(
        'insert into confab_inbox (key) values ($1) on conflict do nothing',
        [id],
      );
      if (rowCount === 1) {
        await client.query(WORK, [data.body]);
      }
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  };

  const contenders: Contender[] = [
    { name: BY_HAND, run: byHand },
    { name: INBOX, run: () => worker.process(next()) },
  ];
  const stop = async () => {
    await pool.end();
    await server.remove();
  };
  return { contenders, stop };
};
