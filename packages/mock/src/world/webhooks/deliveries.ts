import { weightOf } from '../log/recent.ts';
import type { Attempt, Delivery } from './delivery.ts';

/** The number of deliveries to keep: a server that runs for days must not fill the memory. */
const KEPT = 10_000;

/** Bytes that pending deliveries may take. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

/** Bytes of an attempt, without its texts. */
const ATTEMPT_BYTES = 192;

const textsOf = ({ error = '', signature }: Attempt): number =>
  Object.entries(signature).reduce((sum, [name, value]) => sum + name.length + value.length, error.length);

const weigh = ({ body, url, event, attempts }: Delivery): number =>
  attempts.reduce(
    (sum, attempt) => sum + ATTEMPT_BYTES + 2 * textsOf(attempt),
    weightOf(body, body, url, event),
  );

/** Ids and their weights, oldest first. */
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
  /** Bytes that finished deliveries may take. */
  readonly maxBytes: number;
  /** Called with the id of a pending delivery that is dropped: nothing may keep it in memory. */
  readonly onGiveUp: (id: string) => void;
  /** Called with each new delivery and each new state of one. */
  readonly onChange?: ((delivery: Delivery) => void) | undefined;
}

/** The latest deliveries, limited in number and in bytes. Finished ones are dropped first. */
export class DeliveryRecord {
  readonly #options: RecordOptions;
  /** In the order of their events. */
  #deliveries = new Map<string, Delivery>();
  #pending = new Queue();
  #ended = new Queue();

  constructor(options: RecordOptions) {
    this.#options = options;
  }

  /** The memory that all deliveries take, in bytes. */
  get bytes(): number {
    return this.#pending.total + this.#ended.total;
  }

  get all(): readonly Delivery[] {
    return [...this.#deliveries.values()];
  }

  get(id: string): Delivery | undefined {
    return this.#deliveries.get(id);
  }

  has(id: string): boolean {
    return this.#deliveries.has(id);
  }

  /** Adds a delivery, or replaces its earlier state. */
  set(delivery: Delivery): void {
    this.#put(delivery);
    this.#cut();
    this.#options.onChange?.(delivery);
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
