import { checkThat, integerFrom, isFunction } from '@confab/internal';
import type { VerifiedDelivery } from '../dedupe/delivery-id.ts';
import { runForName, toPortableId } from '../dedupe/delivery-id.ts';
import type { HandledDelivery, Inbox, RunResult } from '../dedupe/inbox.ts';
import { NOT_RUN, WebhookError } from '../errors.ts';
import { checkOptions } from '../option-checks.ts';
import { withTimeLimit } from '../run-in-time.ts';
import type { Pglite, PgPool, Session, TransactionOf } from './session.ts';
import {
  ignoreErrors,
  isLockTimeout,
  isPool,
  lockTimeoutError,
  openSession,
  runStatements,
} from './session.ts';
import { buildStatements } from './statements.ts';

/** Options of {@link postgresInbox}. */
export interface PostgresInboxOptions<Pool extends PgPool | Pglite> {
  /** A `Pool` of the package `pg`, or a `PGlite` of `@electric-sql/pglite`. */
  pool: Pool;
  /**
   * Returns a key that all deliveries of one event share and no other delivery has, as `dedupe.key` does. The handlers
   * always run, in a transaction, if the function returns `undefined`.
   * @default the signed id, with `standardWebhooks()`
   */
  key?: ((delivery: VerifiedDelivery) => string | undefined) | undefined;
  /**
   * The table of the keys, with or without a schema: `confab_inbox`, `app.deliveries`.
   * @default 'confab_inbox'
   */
  table?: string | undefined;
  /**
   * How long a delivery waits, in milliseconds, while a redelivery of it or another delivery with the same `serialize`
   * name runs. It waits up to this long for deliveries in this process, and then up to this long again for deliveries in
   * other processes. After that, the response is 409, and the sender delivers it again.
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
   * Deletes the keys of deliveries that were handled long ago. After that, a redelivery of one of them would run again.
   *
   * @param options `olderThanMs` must exceed the period in which the sender redelivers, and the tolerance for its
   * timestamps.
   * @returns The number of deleted keys.
   */
  forget(options: { olderThanMs: number }): Promise<number>;
}

const isTableName = checkThat(
  (value) => typeof value === 'string' && /^\w{1,63}(\.\w{1,63})?$/.test(value),
  'a name of letters, digits and _, with or without a schema',
);

/** Decides the result of a delivery when its handlers could not run. */
const resolveFailedRun = (cause: unknown): RunResult => {
  if (isLockTimeout(cause)) {
    return { state: 'running' };
  }
  const reason =
    Object(cause).code === '42P01' ? 'has no table. Call `await inbox.migrate()` once' : 'failed';
  throw cause instanceof WebhookError
    ? cause
    : new WebhookError('RECEIVER_FAILED', `The inbox ${reason}; see the cause. ${NOT_RUN}`, { cause });
};

/** Claims the delivery, runs its handlers, and commits or rolls back their work. */
const handleInTransaction = async <Tx>(
  session: Session,
  claim: string,
  handle: (tx: Tx) => Promise<WebhookError | undefined>,
): Promise<RunResult> => {
  const [, claimed] = await session.begin(claim).catch(async (error) => {
    await session.rollback();
    throw error;
  });
  const isNew = claimed?.rows.length === 1;
  const failure = isNew ? await handle(session.tx as Tx) : undefined;
  if (isNew && failure === undefined) {
    await session.commit();
  } else {
    await session.rollback();
  }
  return { state: isNew ? 'claimed' : 'completed', failure };
};

/** Creates a function that runs tasks of the same name one at a time. A task fails if its turn comes after the limit. */
const createTurns = (limitMs: number) => {
  /** By name: a promise that settles once the last task has ended, and never rejects. */
  const turns = new Map<string, Promise<void>>();
  return <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
    const before = turns.get(name) ?? Promise.resolve();
    const result = withTimeLimit(limitMs, before, lockTimeoutError).then(task);
    const ended = Promise.allSettled([before, result]).then(() => {
      if (turns.get(name) === ended) {
        turns.delete(name);
      }
    });
    turns.set(name, ended);
    return result;
  };
};

/**
 * Creates an inbox: the handlers of a delivery run inside one transaction that also inserts the key of the delivery. Pass
 * the inbox as `dedupe`, to a receiver or to a worker. Handlers receive the client of the transaction as `tx`, and run one
 * after the other.
 *
 * Either all queries through `tx` are committed, and redeliveries get a 200 without running, or none is, because a handler
 * failed, the process crashed or the connection was lost; a redelivery then runs. Other effects of handlers, such as calls
 * of an API, are not part of the transaction.
 *
 * The inbox keeps nothing in a session, so the pool may go through pgbouncer in transaction mode. Transactions are `read
 * committed`. Each running delivery holds one client of the pool. Of the deliveries that wait for it, at most one in each
 * process holds a client too. A lost connection does not end the process: the inbox listens to the pool's `error` event.
 *
 * @throws A {@link WebhookConfigurationError} when an option is missing or invalid.
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
    'postgresInbox option',
    options,
    {
      pool: checkThat(isPool, 'a Pool of pg or a PGlite'),
      key: isFunction,
      table: isTableName,
      lockTimeoutMs: integerFrom(1),
      serialize: isFunction,
    },
    ['pool'],
  );
  const { pool, key: keyOf, table = 'confab_inbox', lockTimeoutMs = 2_000, serialize } = options;
  const statements = buildStatements(table, lockTimeoutMs);
  const runInTurn = createTurns(lockTimeoutMs);
  ignoreErrors(pool);
  return {
    key: keyOf,
    async migrate() {
      await runStatements(pool, statements.migrate);
    },
    async forget(age) {
      checkOptions('forget option', age, { olderThanMs: integerFrom(0) }, ['olderThanMs']);
      const [deleted] = await runStatements(pool, statements.forget(age.olderThanMs));
      return (deleted as { count: number }).count;
    },
    async run(key, delivery, handle) {
      const name = await runForName('serialize', () => serialize?.(delivery));
      const claim = statements.claim(key, name && (await toPortableId(name)));
      const task = async () => handleInTransaction(await openSession(pool, lockTimeoutMs), claim, handle);
      // Deliveries wait for their turn without a client of the pool, so that clients are left for others.
      const turn = name ?? key;
      return (turn === undefined ? task() : runInTurn(turn, task)).catch(resolveFailedRun);
    },
  };
};
