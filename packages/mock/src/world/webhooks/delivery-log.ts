import { weightOf } from '../log/log.ts';
import type { Attempt, Delivery } from './delivery.ts';

/** The number of deliveries to keep: a server that runs for days must not fill the memory. */
const MAX_DELIVERIES = 10_000;

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

interface DeliveryLogOptions {
  /** Bytes that finished deliveries may take. */
  readonly maxBytes: number;
  /** Called with the id of a pending delivery that is dropped: nothing may keep it in memory. */
  readonly onGiveUp: (id: string) => void;
  /** Called with each new delivery and each new state of one. */
  readonly onChange?: ((delivery: Delivery) => void) | undefined;
}

interface Total {
  count: number;
  bytes: number;
}

/** The latest deliveries, limited in number and in bytes. Finished ones are dropped first. */
export class DeliveryLog {
  readonly #options: DeliveryLogOptions;
  /** In the order of their events. */
  readonly #kept = new Map<string, { readonly delivery: Delivery; readonly bytes: number }>();
  readonly #pending: Total = { count: 0, bytes: 0 };
  readonly #ended: Total = { count: 0, bytes: 0 };

  constructor(options: DeliveryLogOptions) {
    this.#options = options;
  }

  /** The memory that all deliveries take, in bytes. */
  get bytes(): number {
    return this.#pending.bytes + this.#ended.bytes;
  }

  get all(): readonly Delivery[] {
    return [...this.#kept.values()].map(({ delivery }) => delivery);
  }

  get(id: string): Delivery | undefined {
    return this.#kept.get(id)?.delivery;
  }

  /** Adds a delivery, or replaces its earlier state. */
  set(delivery: Delivery): void {
    this.#put(delivery);
    const [pending, ended] = [this.#pending, this.#ended];
    while (ended.count > 0 && (ended.bytes > this.#options.maxBytes || this.#kept.size > MAX_DELIVERIES)) {
      this.#dropOldest(ended);
    }
    while (pending.count > MAX_DELIVERIES || (pending.count > 1 && pending.bytes > MAX_PENDING_BYTES)) {
      this.#options.onGiveUp(this.#dropOldest(pending));
    }
    this.#options.onChange?.(delivery);
  }

  load(deliveries: readonly Delivery[]): void {
    for (const id of [...this.#kept.keys()]) {
      this.#count(id, -1);
      this.#kept.delete(id);
    }
    for (const delivery of deliveries) {
      this.#put(delivery);
    }
  }

  #put(delivery: Delivery): void {
    this.#count(delivery.id, -1);
    this.#kept.set(delivery.id, { delivery, bytes: weigh(delivery) });
    this.#count(delivery.id, 1);
  }

  /** Adds a delivery to the total of its state, or takes it out. */
  #count(id: string, by: 1 | -1): void {
    const kept = this.#kept.get(id);
    if (kept !== undefined) {
      const total = this.#totalOf(kept.delivery);
      total.count += by;
      total.bytes += by * kept.bytes;
    }
  }

  #totalOf({ state }: Delivery): Total {
    return state === 'pending' ? this.#pending : this.#ended;
  }

  #dropOldest(of: Total): string {
    let oldest = '';
    for (const [id, { delivery }] of this.#kept) {
      if (this.#totalOf(delivery) === of) {
        oldest = id;
        break;
      }
    }
    this.#count(oldest, -1);
    this.#kept.delete(oldest);
    return oldest;
  }
}
