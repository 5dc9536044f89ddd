import { hasMethods } from '@confab/internal';
import { NOT_RUN, RETRY, toWebhookError, WebhookError } from '../errors.ts';
import { withTimeLimit } from '../run-in-time.ts';

/** The result of one statement. */
export interface StatementResult {
  /** The rows that it returned. */
  readonly rows: readonly unknown[];
}

/** The methods of a `pg` client that an inbox needs. */
export interface PgClient {
  /** Runs statements that have no parameters. */
  query(statements: string): Promise<unknown>;
  /** Adds a listener for the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Returns the client to its pool, or closes it. */
  release(close?: boolean): void;
}

/** The methods of a `pg` pool that an inbox needs. */
export interface PgPool {
  /** Waits for a client. */
  connect(): Promise<PgClient>;
  /** Runs statements that have no parameters, on any client. */
  query(statements: string): Promise<unknown>;
  /** Adds a listener for the loss of idle connections. */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The method of a PGlite transaction that an inbox needs. */
export interface PgliteTransaction {
  /** Runs statements that have no parameters. */
  exec(statements: string): Promise<readonly StatementResult[]>;
}

/** The methods of a PGlite that an inbox needs. */
export interface Pglite {
  /** Runs a function in a transaction, once no other transaction runs. */
  transaction<Result>(run: (tx: PgliteTransaction) => Promise<Result>): Promise<Result>;
  /** Runs statements that have no parameters. */
  exec(statements: string): Promise<unknown>;
}

/** The client that a pool of `pg` hands out, or the transaction of a PGlite. */
export type TransactionOf<Pool> = Pool extends Pglite
  ? Parameters<Parameters<Pool['transaction']>[0]>[0]
  : Pool extends PgPool
    ? // In `pg`, connect() has an overload without a promise.
      Pool['connect'] extends { (): Promise<infer Client>; (callback: never): unknown }
      ? Client
      : Pool['connect'] extends () => Promise<infer Client>
        ? Client
        : never
    : never;

/** A connection on which one transaction runs. */
export interface Session {
  /** The client or the transaction that handlers receive. */
  readonly tx: unknown;
  /** Begins the transaction, and returns the result of each statement. */
  begin(statements: string): Promise<readonly StatementResult[]>;
  /**
   * Commits the transaction.
   *
   * @throws A {@link WebhookError} when nothing is left to commit, because a statement has failed or has ended the
   * transaction, or when the commit fails.
   */
  commit(): Promise<void>;
  /** Rolls the transaction back. Never rejects: if the connection is lost, the transaction is lost too. */
  rollback(): Promise<void>;
}

const ignore = () => {};

/** Sets the isolation level: under a stricter one, a key that a concurrent transaction inserts would cause an error. */
const BEGIN = 'begin isolation level read committed';

/**
 * The release of this savepoint fails if a statement has failed or has ended the transaction. In both cases, `commit` alone
 * would end without an error.
 */
const SAVEPOINT = 'confab_inbox';
const SET_SAVEPOINT = `savepoint ${SAVEPOINT}`;
const RELEASE_SAVEPOINT = `release savepoint ${SAVEPOINT}`;

/** Runs the commit of a transaction, and explains a failure. */
const commit = async (run: () => Promise<unknown>): Promise<void> => {
  try {
    await run();
  } catch (cause) {
    // The transaction is aborted, there is none, or the savepoint does not exist in a new one.
    throw ['25P02', '25P01', '3B001'].includes(Object(cause).code)
      ? new WebhookError(
          'HANDLER_FAILED',
          `Nothing is left to commit: a handler ended the transaction of \`tx\`, or caught the error of a query, after which Postgres commits nothing. Let the error pass, or set a savepoint before such a query. ${RETRY}`,
          { cause },
        )
      : toWebhookError('The commit', cause);
  }
};

/** The pools and clients that have a listener. Several inboxes may share a pool, and a client serves many deliveries. */
const withListener = new WeakSet<object>();

/** Keeps a lost connection from ending the process, as it would without a listener: node-postgres#2439. */
export const ignoreErrors = (emitter: PgPool | PgClient | Pglite): void => {
  if ('on' in emitter && !withListener.has(emitter)) {
    withListener.add(emitter);
    emitter.on('error', ignore);
  }
};

const openPg = async (pool: PgPool): Promise<Session> => {
  const client = await pool.connect();
  ignoreErrors(client);
  /** Ends the transaction. A client whose transaction may still be open must not be used again. */
  const end = async (statements: string) => {
    let mustClose = true;
    try {
      await client.query(statements);
      mustClose = false;
    } finally {
      client.release(mustClose);
    }
  };
  return {
    tx: client,
    begin: async (statements) => {
      const all = `${BEGIN}; ${statements}; ${SET_SAVEPOINT}`;
      const [, ...results] = (await client.query(all)) as StatementResult[];
      return results;
    },
    commit: () => commit(() => end(`${RELEASE_SAVEPOINT}; commit`)),
    rollback: () => end('rollback').catch(ignore),
  };
};

const openPglite = (db: Pglite): Promise<Session> =>
  new Promise((resolve, reject) => {
    const ended = db.transaction(
      (tx) =>
        new Promise<void>((finish, undo) => {
          resolve({
            tx,
            begin: (statements) => tx.exec(`${statements}; ${SET_SAVEPOINT}`),
            commit: () =>
              commit(async () => {
                await tx.exec(RELEASE_SAVEPOINT).then(() => finish(), undo);
                await ended;
              }),
            rollback: () => {
              undo(new Error('rollback'));
              return ended.then(ignore, ignore);
            },
          });
        }),
    );
    ended.catch(reject);
  });

const isPglite = (pool: PgPool | Pglite): pool is Pglite => hasMethods(pool, 'transaction', 'exec');

/** Whether a value is a PGlite or a pool of `pg`. A client of `pg` is not. */
export const isPool = (pool: unknown): boolean =>
  isPglite(pool as PgPool | Pglite) ||
  (hasMethods(pool, 'connect', 'query', 'on') && !hasMethods(pool, 'escapeLiteral'));

/** Runs statements outside of any transaction of the inbox, and returns the rows of the last one. */
export const runStatements = async (
  pool: PgPool | Pglite,
  statements: string,
): Promise<readonly unknown[]> => {
  const results = await (isPglite(pool) ? pool.exec(statements) : pool.query(statements));
  const last = [results].flat().at(-1) as StatementResult;
  return last.rows;
};

/** The Postgres error code for a lock that was not free in time. */
const LOCK_TIMEOUT = '55P03';

/** Creates the error for a turn that does not come in time. It has the code of Postgres for a lock. */
export const lockTimeoutError = (): Error => Object.assign(new Error('lock timeout'), { code: LOCK_TIMEOUT });

export const isLockTimeout = (error: unknown): boolean => Object(error).code === LOCK_TIMEOUT;

/** Milliseconds to wait for a client of a pool. `pg` itself has no limit by default. */
const CONNECT_LIMIT_MS = 5_000;

const noClientError = (): Error =>
  new WebhookError(
    'RECEIVER_FAILED',
    `The pool had no client within ${CONNECT_LIMIT_MS} ms. Let handlers query \`tx\` instead of the pool, or raise its \`max\`. ${NOT_RUN}`,
  );

/** Opens a session. A PGlite runs one transaction at a time, so waiting for a session counts as waiting for a lock. */
export const openSession = (pool: PgPool | Pglite, lockTimeoutMs: number): Promise<Session> => {
  const undo = (late: Session) => late.rollback();
  return isPglite(pool)
    ? withTimeLimit(lockTimeoutMs, openPglite(pool), lockTimeoutError, undo)
    : withTimeLimit(CONNECT_LIMIT_MS, openPg(pool), noClientError, undo);
};
