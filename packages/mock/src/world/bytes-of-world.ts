import { bytesOfRow } from './store/table.ts';
import type { World } from './world.ts';

/** Bytes of a world without rows and logs. */
const EMPTY_WORLD = 64 * 1024;

/** Estimates the memory that rows take, in bytes. */
export const bytesOfRows = (rows: readonly object[]): number =>
  rows.reduce((sum, row) => sum + bytesOfRow(row), 0);

/** Estimates the memory that a world takes, in bytes: its rows, its log of requests and its deliveries. */
export const bytesOfWorld = ({ store, log, outbox }: Pick<World, 'store' | 'log' | 'outbox'>): number =>
  EMPTY_WORLD + store.bytes + log.bytes + outbox.bytes;
