import { MockError } from '../../errors/mock-error.ts';
import type { WorldClock } from '../clock/clock.ts';
import { realTimer } from '../clock/real-timers.ts';
import { estimateBytes } from '../log/request-log.ts';
import type { Attempt, Delivery, ScheduledDelivery } from './delivery.ts';
import { DeliverySender } from './delivery-sender.ts';
import { findRetryTime } from './retry.ts';

/** The most deliveries to keep, so that a server that runs for days does not fill the memory. */
const MAX_DELIVERIES = 10_000;

/** Bytes that pending deliveries may take. */
const MAX_PENDING_BYTES = 64 * 1024 * 1024;

const estimateDeliveryBytes = ({ delivery: { body, url, event, attempts } }: ScheduledDelivery): number =>
  estimateBytes(body, body, url, event, JSON.stringify(attempts));

/** Adds an attempt to a delivery: it has been delivered, has failed, or is due again. */
const afterAttempt = (
  { delivery, endpoint }: ScheduledDelivery,
  attempt: Attempt,
  now: number,
): ScheduledDelivery => {
  const { status = 0 } = attempt;
  const attempts = [...delivery.attempts, attempt];
  const isDelivered = status >= 200 && status < 300;
  const retryAt = isDelivered ? undefined : findRetryTime(endpoint.retries, attempts.length, now);
  if (retryAt !== undefined) {
    return { delivery: { ...delivery, attempts }, endpoint, dueAt: retryAt };
  }
  const state = isDelivered ? 'delivered' : 'failed';
  return { delivery: { ...delivery, attempts, state }, endpoint, dueAt: now };
};

/** Receives each new delivery, and each delivery after an attempt. */
export interface DeliveryWatchers {
  report(type: 'delivery', delivery: Delivery): void;
}

export interface DeliveriesOptions {
  readonly clock: WorldClock;
  readonly watchers: DeliveryWatchers;
  /** Bytes that finished deliveries may take. */
  readonly maxBytes: number;
}

interface Entry {
  scheduled: ScheduledDelivery;
  bytes: number;
  /** Aborts the attempts. */
  readonly controller: AbortController;
  /** Resolves after the last attempt. */
  ended?: Promise<void>;
}

/**
 * Makes the attempts of deliveries and waits between them. It keeps a limited number and size of deliveries: it drops
 * finished ones first, and abandons pending ones, the oldest first, only if that is not enough.
 */
export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #sender: DeliverySender;
  /** In the order of their events. */
  readonly #entries = new Map<string, Entry>();
  readonly #pending = new Set<Entry>();
  readonly #bytes = { pending: 0, finished: 0 };

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#sender = new DeliverySender(options.clock);
  }

  get all(): readonly ScheduledDelivery[] {
    return [...this.#entries.values()].map(({ scheduled }) => scheduled);
  }

  get pending(): readonly ScheduledDelivery[] {
    return [...this.#pending].map(({ scheduled }) => scheduled);
  }

  get(id: string): Delivery | undefined {
    return this.#entries.get(id)?.scheduled.delivery;
  }

  /** Adds a delivery, which starts if it is pending. */
  add(scheduled: ScheduledDelivery): void {
    const entry: Entry = {
      scheduled,
      bytes: estimateDeliveryBytes(scheduled),
      controller: new AbortController(),
    };
    this.#entries.set(scheduled.delivery.id, entry);
    this.#count(entry, 1);
    if (scheduled.delivery.state === 'pending') {
      this.#pending.add(entry);
      entry.ended = this.#deliver(entry);
    }
    this.#dropExcess();
  }

  /**
   * Makes time pass until no delivery is pending.
   *
   * @param ms The longest time to wait, in milliseconds of real time.
   */
  async flush(ms?: number): Promise<void> {
    const release = this.#options.clock.driveTime();
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      if (ms !== undefined) {
        cancel = realTimer(ms, resolve);
      }
    });
    try {
      await Promise.race([this.#allEnded(), late]);
    } finally {
      cancel();
      release();
    }
  }

  /** Ends every pending delivery as failed. Resolves once all their attempts have ended. */
  async abandon(reason: Error): Promise<void> {
    const entries = [...this.#pending];
    for (const entry of entries) {
      const { scheduled, controller } = entry;
      controller.abort(reason);
      this.#update(entry, { ...scheduled, delivery: { ...scheduled.delivery, state: 'failed' } });
    }
    await Promise.all(entries.map(({ ended }) => ended));
  }

  /** Replaces all deliveries: abandons the present pending ones, and resumes the new pending ones. */
  load(all: readonly ScheduledDelivery[]): void {
    for (const entry of this.#entries.values()) {
      this.#remove(entry);
      entry.controller.abort(new MockError('MOCK_RESTORED', 'The mock was restored or reset.'));
    }
    for (const scheduled of all) {
      this.add(scheduled);
    }
  }

  async #allEnded(): Promise<void> {
    while (this.#pending.size > 0) {
      await Promise.all([...this.#pending].map(({ ended }) => ended));
    }
  }

  async #deliver(entry: Entry): Promise<void> {
    const { clock, watchers } = this.#options;
    const { signal } = entry.controller;
    try {
      while (this.#pending.has(entry)) {
        const { delivery, endpoint, dueAt } = entry.scheduled;
        const wait = dueAt - clock.now();
        if (wait > 0) {
          await clock.sleep(wait, signal, 'retry');
        }
        const attempt = await this.#sender.attempt(endpoint, delivery, signal);
        signal.throwIfAborted();
        this.#update(entry, afterAttempt(entry.scheduled, attempt, clock.now()));
        watchers.report('delivery', entry.scheduled.delivery);
      }
    } catch (error) {
      if (!signal.aborted) {
        throw error;
      }
    }
  }

  /** Replaces the state of a pending delivery. */
  #update(entry: Entry, scheduled: ScheduledDelivery): void {
    this.#count(entry, -1);
    entry.scheduled = scheduled;
    entry.bytes = estimateDeliveryBytes(scheduled);
    this.#count(entry, 1);
    if (scheduled.delivery.state !== 'pending') {
      this.#pending.delete(entry);
    }
    this.#dropExcess();
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.scheduled.delivery.id);
    this.#pending.delete(entry);
    this.#count(entry, -1);
  }

  #count({ scheduled, bytes }: Entry, sign: 1 | -1): void {
    this.#bytes[scheduled.delivery.state === 'pending' ? 'pending' : 'finished'] += sign * bytes;
  }

  #dropExcess(): void {
    for (const entry of this.#entries.values()) {
      const isFull = this.#entries.size > MAX_DELIVERIES || this.#bytes.finished > this.#options.maxBytes;
      if (!isFull || this.#entries.size === this.#pending.size) {
        break;
      }
      if (!this.#pending.has(entry)) {
        this.#remove(entry);
      }
    }
    for (const entry of this.#pending) {
      const isLarge = this.#pending.size > 1 && this.#bytes.pending > MAX_PENDING_BYTES;
      if (this.#pending.size <= MAX_DELIVERIES && !isLarge) {
        break;
      }
      this.#remove(entry);
      entry.controller.abort(
        new MockError(
          'DELIVERY_ABANDONED',
          `More than ${MAX_DELIVERIES} deliveries, or ${MAX_PENDING_BYTES / 1024 ** 2} MiB of them, were waiting, so the oldest was abandoned. Call webhooks.flush() more often, or give the endpoint shorter \`retries\`.`,
        ),
      );
    }
  }
}
