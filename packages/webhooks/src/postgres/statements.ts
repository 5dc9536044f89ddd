const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Builds the SQL of an inbox. Its statements have no parameters, so that several of them fit into one round trip.
 *
 * @param tableName Letters, digits and _, with or without a schema.
 */
export const buildStatements = (tableName: string, lockTimeoutMs: number) => {
  const table = tableName.replace(/\w+/g, '"$&"');
  // Shortened, because Postgres would cut off the end of a longer name, which would then equal the name of the table.
  const index = `"${tableName.replace(/^.*\./, '').slice(0, 50)}_handled_at"`;
  const lock = (name: string) => `pg_advisory_xact_lock(hashtextextended(${literal(`${table} ${name}`)}, 0))`;
  return {
    /** Inserts a key and waits for a lock; both are optional. The second result has no row if the key exists. */
    claim: (key: string | undefined, name: string | undefined): string => {
      const insert =
        key === undefined
          ? 'select 1'
          : `insert into ${table} (key) values (${literal(key)}) on conflict do nothing returning 1`;
      // The key comes first, so a delivery that was handled before does not wait for the lock.
      const claim =
        name === undefined ? insert : `with claimed as (${insert}) select ${lock(name)} from claimed`;
      return `set local lock_timeout = ${lockTimeoutMs}; ${claim}; set local lock_timeout to default`;
    },
    // The lock is needed because two processes that create a table at the same time may both fail.
    migrate: `select ${lock('migrate')};
      create table if not exists ${table} (key text primary key, handled_at timestamptz not null default now());
      create index if not exists ${index} on ${table} (handled_at)`,
    forget: (olderThanMs: number): string =>
      `with deleted as (delete from ${table} where handled_at <= now() - interval '1 ms' * ${olderThanMs} returning 1)
      select count(*)::int as count from deleted`,
  };
};
