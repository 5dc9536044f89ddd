import type { World } from './world.ts';

/** Bytes of a world without rows and logs. */
const WORLD = 64 * 1024;

/** Bytes of a stored row and of its entries in the indexes, without its texts. */
const ROW = 768;

/** Estimates the memory that rows take, in bytes. */
export const weightOfRows = (rows: readonly object[]): number => {
  let weight = ROW * rows.length;
  for (const row of rows) {
    for (const value of Object.values(row)) {
      if (typeof value === 'string') {
        weight += 2 * value.length;
      }
    }
  }
  return weight;
};

interface Rows {
  page(equals: Readonly<Record<string, never>>): { readonly rows: readonly object[] };
}

/** Tables are immutable, so each is weighed once. */
const weighed = new WeakMap<Rows, number>();

const weightOfTable = (table: Rows): number => {
  const weight = weighed.get(table) ?? weightOfRows(table.page({}).rows);
  weighed.set(table, weight);
  return weight;
};

/** Estimates the memory that a world takes, in bytes: its rows, its log of requests and its deliveries. */
export const weightOf = ({ store, log, outbox }: Pick<World, 'store' | 'log' | 'outbox'>): number => {
  return Object.values(store.state).reduce(
    (sum, table) => sum + weightOfTable(table),
    WORLD + log.bytes + outbox.bytes,
  );
};
