import { weightOf } from '../log/weight.ts';
import type { Delivery } from './delivery.ts';

/** Deliveries kept at most; a server that runs for days must not fill the memory. */
const KEPT = 10_000;

/** Bytes of deliveries that may wait for their receivers. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** Bytes of an attempt beside what it says of its failure. */
const ATTEMPT_BYTES = 128;

const weigh = ({ body, url, event, attempts }: Delivery): number =>
  attempts.reduce(
    (sum, { error = '' }) => sum + ATTEMPT_BYTES + 2 * error.length,
    weightOf(body, body, url, event),
  );

/** Ids and what they weigh, oldest first. */
class Queue {
  readonly #bytes = new Map<string, number>();
  #total = 0;

  get size(): number {
    return this.#bytes.size;
  }

  get total(): number {
    return this.#total;
  }

  get oldest(): string | undefined {
    const [id] = this.#bytes.keys();
    return id;
  }

  set(id: string, bytes: number): void {
    this.#total += bytes - (this.#bytes.get(id) ?? 0);
    this.#bytes.set(id, bytes);
  }

  delete(id: string): void {
    this.#total -= this.#bytes.get(id) ?? 0;
    this.#bytes.delete(id);
  }
}

interface RecordOptions {
  /** Bytes of deliveries that have come to their end. */
  readonly maxBytes: number;
  /** Told of one that is dropped before it came to its end: nothing may keep it in memory. */
  readonly onGiveUp: (id: string) => void;
}

/** The latest deliveries, bounded in number and in bytes; those that have come to their end are dropped first. */
export class DeliveryRecord {
  readonly #options: RecordOptions;
  /** In the order in which the events happened. */
  #deliveries = new Map<string, Delivery>();
  #pending = new Queue();
  #ended = new Queue();

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  get all(): readonly Delivery[] {
    return [...this.#deliveries.values()];
  }

  has(id: string): boolean {
    return this.#deliveries.has(id);
  }

  /** Adds a delivery, or puts it in place of what it was. */
  set(delivery: Delivery): void {
    this.#put(delivery);
    this.#cut();
  }

  load(deliveries: readonly Delivery[]): void {
    this.#deliveries = new Map();
    [this.#pending, this.#ended] = [new Queue(), new Queue()];
    for (const delivery of deliveries) {
      this.#put(delivery);
    }
  }

  #put(delivery: Delivery): void {
    const { id, state } = delivery;
    this.#deliveries.set(id, delivery);
    const [queue, other] = state === 'pending' ? [this.#pending, this.#ended] : [this.#ended, this.#pending];
    other.delete(id);
    queue.set(id, weigh(delivery));
  }

  #cut(): void {
    const [pending, ended] = [this.#pending, this.#ended];
    while (ended.size > 0 && (ended.total > this.#options.maxBytes || this.#deliveries.size > KEPT)) {
      this.#drop(ended);
    }
    while (pending.size > KEPT || (pending.size > 1 && pending.total > MAX_PENDING_BYTES)) {
      const id = this.#drop(pending);
      if (id !== undefined) {
        this.#options.onGiveUp(id);
      }
    }
  }

  #drop(queue: Queue): string | undefined {
    const id = queue.oldest;
    if (id !== undefined) {
      queue.delete(id);
      this.#deliveries.delete(id);
    }
    return id;
  }
}
