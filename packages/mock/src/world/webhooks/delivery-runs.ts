import type { WorldClock } from '../clock/clock.ts';
import { Courier } from './courier.ts';
import type { Attempt, Delivery } from './delivery.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { PendingDelivery } from './retry.ts';
import { afterAttempt } from './retry.ts';

/** A delivery under way. */
interface Run {
  readonly pending: PendingDelivery;
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

interface RunsOptions {
  readonly clock: WorldClock;
  /** Keeps the result of each attempt. */
  readonly record: DeliveryLog;
  /** Called with a delivery after each attempt. */
  readonly onAttempt: (delivery: Delivery) => void;
}

/** The deliveries under way: makes their attempts, with the waits in between. */
export class DeliveryRuns {
  readonly #clock: WorldClock;
  readonly #record: DeliveryLog;
  readonly #courier: Courier;
  readonly #onAttempt: (delivery: Delivery) => void;
  readonly #runs = new Map<string, Run>();

  constructor({ clock, record, onAttempt }: RunsOptions) {
    this.#clock = clock;
    this.#record = record;
    this.#onAttempt = onAttempt;
    this.#courier = new Courier(clock);
  }

  get pending(): readonly PendingDelivery[] {
    return [...this.#runs.values()].map(({ pending }) => pending);
  }

  /** Resolves once every delivery that is under way now has ended. */
  async ended(): Promise<void> {
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }

  /** Makes time pass until no delivery is under way, or until `late` resolves. */
  async flush(late?: Promise<void>): Promise<void> {
    const release = this.#clock.driveTime();
    try {
      await (late === undefined ? this.#allEnded() : Promise.race([this.#allEnded(), late]));
    } finally {
      release();
    }
  }

  async #allEnded(): Promise<void> {
    while (this.#runs.size > 0) {
      await this.ended();
    }
  }

  start(pending: PendingDelivery): void {
    const { id } = pending.delivery;
    const ending = new AbortController();
    // Starts a turn later, when it is in the list of runs.
    const ended = Promise.resolve().then(() => this.#deliver(id, ending.signal));
    this.#runs.set(id, { pending, ending, ended });
  }

  stop(id: string, reason: Error): void {
    this.#runs.get(id)?.ending.abort(reason);
    this.#runs.delete(id);
  }

  async #deliver(id: string, signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        const run = this.#runs.get(id);
        if (run === undefined) {
          return;
        }
        const attempt = await this.#attempt(run.pending, signal);
        const { delivery, left } = afterAttempt(run.pending, attempt, this.#clock.now());
        if (this.#record.get(id) !== undefined) {
          this.#record.set(delivery);
        }
        this.#onAttempt(delivery);
        if (left === undefined) {
          this.#runs.delete(id);
        } else {
          this.#runs.set(id, { ...run, pending: left });
        }
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      this.#runs.delete(id);
      throw error;
    }
  }

  /** Makes the next attempt of a delivery, when it is due. */
  async #attempt({ delivery, endpoint, dueAt }: PendingDelivery, signal: AbortSignal): Promise<Attempt> {
    const wait = dueAt - this.#clock.now();
    if (wait > 0) {
      await this.#clock.sleep(wait, signal, 'retry');
    }
    const { messageId, body } = delivery;
    const attempt = await this.#courier.attempt(endpoint, { id: messageId, body }, signal);
    signal.throwIfAborted();
    return attempt;
  }
}
