import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Pool } from 'pg';

/** A client of `pg`, a PGlite, or a transaction of either. */
export interface Sql {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

const openPool = async (url: string) => {
  const pool = new Pool({ connectionString: url });
  // Without a listener, a lost connection would end the process.
  pool.on('error', (error) => console.error(`Postgres: ${error.message}`));
  const transaction = async <T>(run: (sql: Sql) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const result = await run(client);
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  };
  return { pool, transaction, query: (text: string) => pool.query(text), close: () => pool.end() };
};

const openFolder = async (folder: string) => {
  const pool = await PGlite.create(folder);
  const transaction = <T>(run: (sql: Sql) => Promise<T>): Promise<T> => pool.transaction(run);
  return { pool, transaction, query: (text: string) => pool.exec(text), close: () => pool.close() };
};

/** Opens the server at `url`, or a database in a folder, and creates the tables. */
export const openDatabase = async (url: string | undefined, folder: string) => {
  const database = await (url === undefined ? openFolder(folder) : openPool(url));
  await database.query(await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8'));
  return database;
};

export type Database = Awaited<ReturnType<typeof openDatabase>>;
