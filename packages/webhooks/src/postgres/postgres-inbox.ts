import { isFunction, must } from '@confab/internal';
import type { VerifiedDelivery } from '../dedupe/delivery-id.ts';
import { nameOf, toPortableId } from '../dedupe/delivery-id.ts';
import type { HandledDelivery, Inbox, RunResult } from '../dedupe/inbox.ts';
import { NOT_RUN, RETRY, toWebhookError, WebhookError } from '../errors.ts';
import { checkOptions } from '../option-checks.ts';
import { createLines } from './lines.ts';
import type { Pglite, PgPool, Session, TransactionOf } from './session.ts';
import { isNothingLeft, isPool, openSession, runStatements, watchPool } from './session.ts';

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions<Pool extends PgPool | Pglite> {
  /** A `Pool` of the package `pg`, or a `PGlite` of `@electric-sql/pglite`. */
  pool: Pool;
  /**
   * Returns a key that all deliveries of one event share and no other delivery has, as `dedupe.key` does. The handlers
   * always run, in a transaction, if it returns `undefined`.
   * @default the signed id, with `standardWebhooks()`
   */
  key?: ((delivery: VerifiedDelivery) => string | undefined) | undefined;
  /**
   * The table of the keys, with or without a schema: `confab_inbox`, `app.deliveries`.
   * @default 'confab_inbox'
   */
  table?: string | undefined;
  /**
   * Milliseconds for which a delivery waits while its redelivery, or another one of the same `serialize`, runs: first for
   * those of this process, then once more for those of others. Then it gets a 409, and the sender delivers it again.
   * @default 2_000
   */
  lockTimeoutMs?: number | undefined;
  /**
   * Returns the name of a lock, such as a conversation's id. Deliveries with the same name run one at a time, in any
   * order.
   * @default all deliveries may run at the same time
   */
  serialize?: ((delivery: HandledDelivery) => string | undefined) | undefined;
}

/** An inbox in a Postgres database. */
export interface PostgresInbox<Tx> extends Inbox<Tx> {
  /** Creates the table unless it exists. */
  migrate(): Promise<void>;
  /**
   * Deletes the keys of deliveries that were handled long ago. If one of them arrives again after that, it runs again.
   *
   * @param options `olderThanMs`: longer than the sender retries, and than its timestamps are accepted.
   * @returns How many keys there were.
   */
  forget(options: { olderThanMs: number }): Promise<number>;
}

const isTable = must(
  (value) => typeof value === 'string' && /^\w{1,63}(\.\w{1,63})?$/.test(value),
  'a name of letters, digits and _, with or without a schema',
);

const millisecondsUpTo = (least: number, most: number) =>
  must(
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    `a whole number from ${least} to ${most}`,
  );

/** What a timeout of Postgres may be. */
const MAX_TIMEOUT_MS = 2_147_483_647;

const TEN_YEARS_MS = 315_360_000_000;

const inboxFailed = (cause: unknown): WebhookError => {
  const { code } = Object(cause);
  const reason = code === '42P01' ? 'has no table. Call `await inbox.migrate()` once' : 'failed';
  return new WebhookError('RECEIVER_FAILED', `The inbox ${reason}; see the cause. ${NOT_RUN}`, { cause });
};

const ABORTED = `Nothing is left to commit: a handler ended the transaction of \`tx\`, or caught the error of a query, after which Postgres commits nothing. Let the error pass, or set a savepoint before such a query. ${RETRY}`;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Creates an inbox: the handlers of a delivery run inside one transaction that also inserts its key. Pass it as `dedupe`,
 * to a receiver or to a worker. Handlers receive the client of the transaction as `tx`, and run one after the other.
 *
 * Either everything that a delivery does through `tx` is committed, and its redeliveries get a 200 without running, or
 * nothing is, and a redelivery runs: after an error of a handler, a crash, or a lost connection. What handlers do
 * elsewhere, such as calls of an API, is not part of the transaction.
 *
 * It needs nothing of a session, so a pool may go through pgbouncer in transaction mode. Transactions are `read
 * committed`. Each running delivery holds one client of the pool, and of those that wait for it, at most one of each process. A lost connection does not end the process: the pool's
 * `error` event has a listener.
 *
 * @throws {@link WebhookConfigurationError} When an option is missing or invalid.
 *
 * @example
 * ```ts
 * import { createWebhooks } from '@confab/webhooks';
 * import { postgresInbox } from '@confab/webhooks/postgres';
 * import { Pool } from 'pg';
 *
 * const inbox = postgresInbox({
 *   pool: new Pool(),
 *   key: ({ headers }) => headers.get('x-delivery-id') ?? undefined,
 * });
 * await inbox.migrate();
 *
 * const webhooks = createWebhooks({ secret, signature, dedupe: inbox });
 * webhooks.on('message.created', async ({ data }, { tx }) => {
 *   await tx.query('insert into messages (conversation_id, body) values ($1, $2)', [data.conversationId, data.body]);
 * });
 * ```
 */
export const postgresInbox = <const Pool extends PgPool | Pglite>(
  options: PostgresInboxOptions<Pool>,
): PostgresInbox<TransactionOf<Pool>> => {
  checkOptions(
    'option of postgresInbox',
    options,
    {
      pool: must(isPool, 'a Pool of pg or a PGlite'),
      key: isFunction,
      table: isTable,
      lockTimeoutMs: millisecondsUpTo(1, MAX_TIMEOUT_MS),
      serialize: isFunction,
    },
    ['pool'],
  );
  const { pool, key: keyOf, lockTimeoutMs = 2_000, serialize = () => undefined } = options;
  const { table: tableName = 'confab_inbox' } = options;
  const table = tableName.replace(/\w+/g, '"$&"');
  // Cut off, because Postgres would cut off the end, and take the table for the index.
  const index = `${tableName.replace(/^.*\./, '').slice(0, 50)}_handled_at`;
  const lockOf = (name: string) =>
    `pg_advisory_xact_lock(hashtextextended(${literal(`${table} ${name}`)}, 0))`;
  const runInLine = createLines();
  watchPool(pool);

  /** Begins a transaction that holds the key and the lock. Resolves to false if the key is there. */
  const claim = async (session: Session, key: string | undefined, lock: string): Promise<boolean> => {
    // One round trip, for which there can be no parameters. The key comes first, so what was handled before does not wait
    // for the lock.
    const claimed =
      key === undefined
        ? 'select 1'
        : `insert into ${table} (key) values (${literal(key)}) on conflict do nothing returning 1`;
    const [, result] = await session.begin(
      `set local lock_timeout = ${lockTimeoutMs};
      with claimed as (${claimed}) select ${lock} from claimed;
      set local lock_timeout to default`,
    );
    return result?.rows.length === 1;
  };

  const runLocked = async (
    key: string | undefined,
    lock: string,
    handle: (tx: TransactionOf<Pool>) => Promise<WebhookError | undefined>,
  ): Promise<RunResult> => {
    const session = await openSession(pool, lockTimeoutMs).catch((error) => {
      throw error instanceof WebhookError ? error : inboxFailed(error);
    });
    if (session === undefined) {
      return { state: 'running' };
    }
    try {
      if (!(await claim(session, key, lock))) {
        await session.rollback();
        return { state: 'completed' };
      }
    } catch (error) {
      await session.rollback();
      if (Object(error).code === '55P03') {
        return { state: 'running' };
      }
      throw inboxFailed(error);
    }
    const failure = await handle(session.tx as TransactionOf<Pool>);
    if (failure !== undefined) {
      await session.rollback();
      return { state: 'claimed', failure };
    }
    await session.commit().catch((cause) => {
      throw isNothingLeft(cause)
        ? new WebhookError('HANDLER_FAILED', ABORTED, { cause })
        : toWebhookError('The commit', cause);
    });
    return { state: 'claimed' };
  };

  return {
    key: keyOf,
    async migrate() {
      // Locked, because two processes that create a table at the same time may both fail.
      await runStatements(
        pool,
        `select ${lockOf('migrate')};
        create table if not exists ${table} (key text primary key, handled_at timestamptz not null default now());
        create index if not exists "${index}" on ${table} (handled_at)`,
      );
    },
    async forget(given) {
      const checks = { olderThanMs: millisecondsUpTo(0, TEN_YEARS_MS) };
      checkOptions('option of forget', given, checks, ['olderThanMs']);
      const age = `interval '1 ms' * ${given.olderThanMs}`;
      const results = await runStatements(
        pool,
        `with gone as (delete from ${table} where handled_at <= now() - ${age} returning 1)
        select count(*)::int as count from gone`,
      );
      const [result] = [results].flat() as { rows: [{ count: number }] }[];
      return result?.rows[0].count ?? 0;
    },
    async run(key, delivery, handle) {
      const lockName = await nameOf('serialize', () => serialize(delivery));
      const lock = lockName === undefined ? '1' : lockOf(await toPortableId(lockName));
      const line = lockName ?? key;
      const task = () => runLocked(key, lock, handle);
      // Only the first in line takes a client of the pool. The others would keep it from deliveries that need not wait.
      const result = line === undefined ? task() : runInLine(line, lockTimeoutMs, task);
      return (await result) ?? { state: 'running' };
    },
  };
};
