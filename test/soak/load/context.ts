import type { Confab } from '@confab/client';
import type { RemoteMock } from '@confab/mock/remote';
import type { Latencies } from './latencies.ts';
import type { Outcomes } from './outcomes.ts';
import type { Receiver } from './receiver.ts';

/** What the actions of the load share. */
export interface Context {
  readonly url: string;
  /** The control of the served mock. */
  readonly remote: RemoteMock;
  /** A client of the served mock. Its calls must all succeed. */
  readonly confab: Confab;
  readonly receiver: Receiver;
  /** Times of calls of `confab` that take one request. */
  readonly latencies: Latencies;
  readonly outcomes: Outcomes;
  /** Rows that the load has created in the served mock, to be deleted again. */
  readonly created: CreatedRows;
  /** Whether no world is deleted: a leak on purpose. */
  readonly leakWorlds: boolean;
  /** Counts a request that was sent without `fetch`. */
  readonly countRequest: () => void;
}

/** The ids of rows to delete, oldest first. */
interface CreatedRows {
  readonly leads: string[];
  readonly messages: string[];
}

/** Sends some requests. It throws when a result is not as expected. */
export type Action = (context: Context) => Promise<void>;

/** One of some values, at random. */
export const pick = <T>(values: readonly T[]): T => {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) {
    throw new Error('There is nothing to pick from.');
  }
  return value;
};

/** A whole number from 0 below `most`. */
export const below = (most: number): number => Math.floor(Math.random() * most);
