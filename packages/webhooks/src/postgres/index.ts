/**
 * Handles each delivery in a transaction of Postgres that also remembers it.
 *
 * @packageDocumentation
 */

export type { PostgresInbox, PostgresInboxOptions } from './postgres-inbox.ts';
export { postgresInbox } from './postgres-inbox.ts';
export type {
  PgClient,
  Pglite,
  PgliteTransaction,
  PgPool,
  StatementResult,
  TransactionOf,
} from './session.ts';
