import { hasMethods } from '@confab/internal';
import { NOT_RUN, WebhookError } from '../errors.ts';
import { settledWithin } from '../settled-within.ts';

/** The result of one statement. */
export interface StatementResult {
  /** The rows that it returned. */
  readonly rows: readonly unknown[];
}

/** The methods of a `pg` client that an inbox needs. */
export interface PgClient {
  /** Runs statements that have no parameters. */
  query(statements: string): Promise<unknown>;
  /** Listens to the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Stops listening. */
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** Returns the client to its pool, or closes it. */
  release(close?: boolean): void;
}

/** The methods of a `pg` pool that an inbox needs. */
export interface PgPool {
  /** Waits for a client. */
  connect(): Promise<PgClient>;
  /** Runs statements that have no parameters, on any client. */
  query(statements: string): Promise<unknown>;
  /** Listens to the loss of idle connections. */
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
    ? // In `pg`, the promise is one of two overloads.
      Pool['connect'] extends { (): Promise<infer Client>; (callback: never): unknown }
      ? Client
      : Pool['connect'] extends () => Promise<infer Client>
        ? Client
        : never
    : never;

/** A connection on which one transaction runs. */
export interface Session {
  /** What handlers receive. */
  readonly tx: unknown;
  /** Begins the transaction, and returns the result of each statement. */
  begin(statements: string): Promise<readonly StatementResult[]>;
  /** Rejects if nothing is left to commit: a statement has failed, or has ended the transaction. */
  commit(): Promise<void>;
  /** Never rejects: if it fails, the connection is lost, and the transaction with it. */
  rollback(): Promise<void>;
}

const ignore = () => {};

/** Begins with the isolation of Postgres' own default: under a stricter one, a key that is held is an error. */
const BEGIN = 'begin isolation level read committed';

/**
 * It can't be released once a statement has failed or has ended the transaction. Postgres itself would answer a `commit`
 * without an error in both cases.
 */
const SAVEPOINT = 'confab_inbox';
const SET_SAVEPOINT = `savepoint ${SAVEPOINT}`;
const RELEASE_SAVEPOINT = `release savepoint ${SAVEPOINT}`;

/** Whether a commit has failed because the savepoint could not be released. */
export const isNothingLeft = (error: unknown): boolean =>
  // The transaction is aborted, there is none, or it is another one.
  ['25P02', '25P01', '3B001'].includes(Object(error).code);

const openPg = async (pool: PgPool): Promise<Session> => {
  const client = await pool.connect();
  // Without a listener, a backend that is killed would end the process: node-postgres#2439.
  client.on('error', ignore);
  /** Ends the transaction. A client whose transaction may still be open must not be used again. */
  const end = async (statements: string) => {
    let mustClose = true;
    try {
      await client.query(statements);
      mustClose = false;
    } finally {
      client.release(mustClose);
    }
    client.removeListener('error', ignore);
  };
  return {
    tx: client,
    begin: async (statements) => {
      const all = `${BEGIN}; ${statements}; ${SET_SAVEPOINT}`;
      const [, ...results] = (await client.query(all)) as StatementResult[];
      return results;
    },
    commit: () => end(`${RELEASE_SAVEPOINT}; commit`),
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
            commit: async () => {
              await tx.exec(RELEASE_SAVEPOINT).then(() => finish(), undo);
              await ended;
            },
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

/** Whether it is a pool of `pg`, and not one of its clients, or a PGlite. */
export const isPool = (pool: unknown): boolean =>
  isPglite(pool as PgPool | Pglite) ||
  (hasMethods(pool, 'connect', 'query', 'on') && !hasMethods(pool, 'escapeLiteral'));

/** Runs statements outside of any transaction of the inbox. Several are one transaction by themselves. */
export const runStatements = (pool: PgPool | Pglite, statements: string): Promise<unknown> =>
  isPglite(pool) ? pool.exec(statements) : pool.query(statements);

/** The pools that have a listener. Several inboxes may share a pool. */
const watched = new WeakSet<object>();

/** Keeps a pool from ending the process when an idle connection is lost. */
export const watchPool = (pool: PgPool | Pglite): void => {
  if (!isPglite(pool) && !watched.has(pool)) {
    watched.add(pool);
    pool.on('error', ignore);
  }
};

/** Milliseconds to wait for a client of a pool. `pg` itself has no limit by default. */
const CONNECT_LIMIT_MS = 5_000;

/**
 * Opens a session. A PGlite runs one transaction at a time, so waiting for it is waiting for a lock.
 *
 * @returns `undefined` if another transaction of a PGlite runs for longer than that.
 * @throws {@link WebhookError} When the pool has no client in time, with `code: 'RECEIVER_FAILED'`.
 */
export const openSession = async (
  pool: PgPool | Pglite,
  lockTimeoutMs: number,
): Promise<Session | undefined> => {
  const opening = isPglite(pool) ? openPglite(pool) : openPg(pool);
  const limit = isPglite(pool) ? lockTimeoutMs : CONNECT_LIMIT_MS;
  if (await settledWithin(limit, opening.then(ignore, ignore))) {
    return opening;
  }
  opening.then((late) => late.rollback()).catch(ignore);
  if (isPglite(pool)) {
    return undefined;
  }
  throw new WebhookError(
    'RECEIVER_FAILED',
    `The pool had no client within ${limit} ms. Let handlers query \`tx\` instead of the pool, or raise its \`max\`. ${NOT_RUN}`,
  );
};
