import type { OperationId } from '@confab/client/contract';
import { checkOperation } from './check-operation.ts';
import type { Fault } from './fault.ts';

/** One request that the mock got. */
export interface LoggedRequest {
  /** `undefined` when no operation has this method and path. */
  readonly operation: OperationId | undefined;
  readonly method: string;
  readonly path: string;
  /** Id of the key that it carried, if that was a valid one; the key itself is never kept. */
  readonly keyId: string | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The query as it came, without its question mark; parameters that came several times are all in it. */
  readonly search: string;
  /** The JSON of the body; the text if it was not JSON; `undefined` without one. */
  readonly body: unknown;
  /** Status of the answer; `undefined` when a fault left it without one. */
  readonly status: number | undefined;
  /** What was injected. */
  readonly fault: Fault | undefined;
  /** When it came in, in milliseconds since 1970 on the clock of the mock. */
  readonly at: number;
}

/** Kept at most; a server that runs for days must not fill the memory. */
const KEPT = 10_000;

/**
 * The latest 10,000 requests, in the order in which they were answered.
 *
 * @example
 * mock.requests.of('leads.create').map(({ body }) => body);
 */
export class RequestLog implements Iterable<LoggedRequest> {
  #entries: LoggedRequest[] = [];
  readonly #listeners = new Set<(entry: LoggedRequest) => void>();

  /**
   * Those of one operation.
   *
   * @throws {TypeError} For a name that no operation has.
   */
  of(operation: OperationId): readonly LoggedRequest[] {
    checkOperation(operation);
    return this.all.filter((entry) => entry.operation === operation);
  }

  /** All of them. */
  get all(): readonly LoggedRequest[] {
    return this.#entries.slice(-KEPT);
  }

  get length(): number {
    return Math.min(this.#entries.length, KEPT);
  }

  clear(): void {
    this.#entries = [];
  }

  [Symbol.iterator](): IterableIterator<LoggedRequest> {
    return this.all[Symbol.iterator]();
  }

  add(entry: LoggedRequest): void {
    // Snapshots keep the entries themselves.
    for (const part of [entry, entry.params, entry.query, entry.body]) Object.freeze(part);
    this.#entries.push(entry);
    for (const listener of this.#listeners) listener(entry);
    // Cut rarely: cutting at every request would copy the whole log each time.
    if (this.#entries.length >= 2 * KEPT) this.#entries = this.#entries.slice(-KEPT);
  }

  /** Tells somebody of each request to come; returns what ends that. */
  subscribe(listener: (entry: LoggedRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  save(): readonly LoggedRequest[] {
    return this.all;
  }

  load(entries: readonly LoggedRequest[]): void {
    this.#entries = [...entries];
  }
}
