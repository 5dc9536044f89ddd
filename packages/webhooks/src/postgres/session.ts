import { hasMethods } from '@confab/internal';
import { NOT_RUN, WebhookError } from '../errors.ts';
import { settledWithin } from '../settled-within.ts';

/** The result of one statement. */
export interface StatementResult {
  /** The rows that it returned. */
  readonly rows: readonly unknown[];
}

/** The part in use of a client of `pg`. */
export interface PgClient {
  /** Runs statements that have no parameters. */
  query(statements: string): Promise<unknown>;
  /** Listens to the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Stops listening. */
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** Returns the client to its pool, or closes it. */
  release(close?: boolean): void;
  /** Returns `I` outside of any transaction. Old versions lack it. */
  getTransactionStatus?(): unknown;
}

/** The part in use of a pool of `pg`. */
export interface PgPool {
  /** Waits for a client. */
  connect(): Promise<PgClient>;
  /** Runs statements that have no parameters, on any client. */
  query(statements: string): Promise<unknown>;
  /** Listens to the loss of idle connections. */
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The part in use of a transaction of PGlite. */
export interface PgliteTransaction {
  /** Runs statements that have no parameters. */
  exec(statements: string): Promise<readonly StatementResult[]>;
}

/** The part in use of a PGlite. */
export interface Pglite {
  /** Runs a function in a transaction, once no other transaction runs. */
  transaction<Result>(run: (tx: PgliteTransaction) => Promise<Result>): Promise<Result>;
  /** Runs statements that have no parameters. */
  exec(statements: string): Promise<unknown>;
}

/** The client that a pool of `pg` hands out, or the transaction of a PGlite. */
export type TransactionOf<Pool> = Pool extends Pglite
  ? Parameters<Parameters<Pool['transaction']>[0]>[0]
  : // In `pg`, the promise is one of two overloads.
    Pool extends { connect: { (): Promise<infer Client>; (callback: never): unknown } }
    ? Client
    : Pool extends { connect: () => Promise<infer Client> }
      ? Client
      : never;

/** A connection on which one transaction runs. */
export interface Session {
  /** What handlers receive. */
  readonly tx: unknown;
  /** Begins the transaction, and returns the result of each statement. */
  begin(statements: string): Promise<readonly StatementResult[]>;
  /** Resolves to false if there is nothing to commit: a statement has failed, or has ended the transaction. */
  commit(): Promise<boolean>;
  /** Never rejects: if it fails, the connection is lost, and the transaction with it. */
  rollback(): Promise<void>;
}

const ignore = () => {};

/** Begins with the isolation of Postgres' own default: under a stricter one, a key that is held is an error. */
const BEGIN = 'begin isolation level read committed';

const openPg = async (pool: PgPool): Promise<Session> => {
  const client = await pool.connect();
  // Without a listener, a backend that is killed would end the process: node-postgres#2439.
  client.on('error', ignore);
  /** Ends the transaction. A client whose transaction may still be open must not be used again. */
  const end = async (statement: 'commit' | 'rollback') => {
    let command: unknown;
    try {
      ({ command } = Object(await client.query(statement)));
    } finally {
      client.release(command === undefined);
    }
    client.removeListener('error', ignore);
    return command === 'COMMIT';
  };
  return {
    tx: client,
    begin: async (statements) => {
      const [, ...results] = (await client.query(`${BEGIN}; ${statements}`)) as StatementResult[];
      return results;
    },
    commit: async () => {
      const isOpen = client.getTransactionStatus?.() !== 'I';
      return (await end('commit')) && isOpen;
    },
    rollback: () => end('rollback').then(ignore, ignore),
  };
};

/** Whether a query was refused because another one of its transaction had failed. */
const isAborted = (error: unknown): boolean => Object(error).code === '25P02';

const openPglite = (db: Pglite): Promise<Session> =>
  new Promise((resolve, reject) => {
    const ended = db.transaction(
      (tx) =>
        new Promise<boolean>((finish, undo) => {
          resolve({
            tx,
            begin: (statements) => tx.exec(statements),
            commit: async () => {
              // A version that ends an aborted transaction without an error would lose the delivery.
              await tx.exec('select 1').then(() => finish(true), undo);
              return ended.catch((error) => {
                if (isAborted(error)) {
                  return false;
                }
                throw error;
              });
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

/** Keeps a pool from ending the process when an idle connection is lost. */
export const watchPool = (pool: PgPool | Pglite): void => {
  if (!isPglite(pool)) {
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
