import { invalidArgument } from '../../errors/invalid-argument.ts';
import { MockClosedError } from '../../errors/mock-closed-error.ts';
import { MockError } from '../../errors/mock-error.ts';
import type { WorldClock } from '../clock/clock.ts';
import type { Random } from '../random/random.ts';
import { Courier } from './courier.ts';
import type { Delivery, EventNames, StatusChange } from './delivery.ts';
import type { CompleteDeliveryFault } from './delivery-faults.ts';
import { DeliveryFaults } from './delivery-faults.ts';
import { DeliveryRecord } from './delivery-record.ts';
import type { CompleteEndpoint, Endpoint } from './endpoint.ts';
import { toEndpoint } from './to-endpoint.ts';

/** A delivery that is not finished. */
interface Pending {
  readonly delivery: Delivery;
  readonly endpoint: CompleteEndpoint;
  /** The id for schemes that sign one, the same for all deliveries of an event. */
  readonly messageId: string;
  /** The time of its next attempt, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** All endpoints and deliveries, as a snapshot saves them. */
export interface OutboxState {
  readonly endpoints: readonly CompleteEndpoint[];
  readonly deliveries: readonly Delivery[];
  readonly pending: readonly Pending[];
  readonly deliveryFaults: readonly CompleteDeliveryFault[];
}

interface OutboxOptions {
  readonly clock: WorldClock;
  readonly random: Random;
  readonly events?: EventNames | undefined;
  /** The memory that finished deliveries may take. */
  readonly maxBytes: number;
}

const toBody = (event: string, data: unknown): string => {
  try {
    return JSON.stringify({ event, data });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`webhooks.emit(): the data of ${event} can't be written as JSON: ${reason}`);
  }
};

const abandoned = (why: string): MockError => new MockError('DELIVERY_ABANDONED', why);

/** A delivery under way. */
interface Run {
  readonly pending: Pending;
  readonly ending: AbortController;
  readonly ended: Promise<void>;
}

/** Signs events and delivers them to their endpoints, with retries. */
export class Outbox {
  /** Plans what goes wrong with the delivery of the next events. */
  readonly deliveryFaults = new DeliveryFaults();
  readonly #clock: WorldClock;
  readonly #random: Random;
  readonly #events: EventNames;
  readonly #courier: Courier;
  readonly #record: DeliveryRecord;
  #endpoints: CompleteEndpoint[] = [];
  #runs = new Map<string, Run>();
  #flushing = 0;
  #closed = false;

  constructor({ clock, random, maxBytes, events = {} }: OutboxOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#events = events;
    this.#courier = new Courier({ clock, hurried: () => this.#flushing > 0 });
    this.#record = new DeliveryRecord({
      maxBytes,
      onGiveUp: (id) => this.#stop(id, abandoned('Too many deliveries were waiting')),
    });
  }

  /**
   * Adds an endpoint, to which all events from now on are delivered.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
   * @example
   * ```ts
   * mock.webhooks.add({ url: 'http://127.0.0.1:8080/webhooks', secret: 'whsec_test' });
   * ```
   */
  add(endpoint: Endpoint): void {
    this.#endpoints.push(toEndpoint(endpoint));
  }

  /**
   * The latest deliveries, in the order of their events: at most 10,000, and at most `maxLogBytes` of memory for finished
   * ones. If too many are pending, the oldest are abandoned.
   */
  get deliveries(): readonly Delivery[] {
    return this.#record.all;
  }

  /**
   * Delivers an event to every endpoint: for events that no operation emits.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the data can't be written as JSON.
   * @throws {@link MockClosedError} When the mock is closed.
   * @example
   * ```ts
   * mock.webhooks.emit('conversation.resolved', { conversationId });
   * ```
   */
  emit(event: string, data: unknown): void {
    if (this.#closed) {
      throw new MockClosedError('webhooks.emit()');
    }
    if (this.#endpoints.length === 0) {
      return;
    }
    const body = toBody(event, data);
    const { copies, delayMs } = this.deliveryFaults.take();
    const dueAt = this.#clock.now() + delayMs;
    let messageId: string | undefined;
    for (const endpoint of this.#endpoints) {
      for (let copy = 0; copy < copies; copy += 1) {
        const id = this.#random.id();
        messageId ??= `msg_${id}`;
        const delivery: Delivery = {
          id,
          url: endpoint.url,
          event,
          data,
          body,
          state: 'pending',
          attempts: [],
        };
        this.#start({ delivery, endpoint, messageId, dueAt });
        this.#record.set(delivery);
      }
    }
  }

  /**
   * Resolves once every delivery is delivered or has failed. On the virtual clock, the waits between attempts pass by
   * themselves.
   *
   * @example
   * ```ts
   * await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
   * await mock.webhooks.flush();
   * ```
   */
  async flush(): Promise<void> {
    this.#flushing += 1;
    this.#clock.poke();
    try {
      while (this.#runs.size > 0) {
        await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
      }
    } finally {
      this.#flushing -= 1;
    }
  }

  conversationCreated(data: unknown): void {
    if (this.#events.newConversation !== undefined) {
      this.emit(this.#events.newConversation, data);
    }
  }

  statusChanged(change: StatusChange): void {
    if (this.#events.statusChange !== undefined) {
      this.emit(this.#events.statusChange, change);
    }
  }

  /** Abandons every unfinished delivery. Resolves once all of them have ended. */
  async giveUp(reason: Error): Promise<void> {
    const runs = [...this.#runs.entries()];
    for (const [id, { pending }] of runs) {
      this.#stop(id, reason);
      if (this.#record.has(id)) {
        this.#record.set({ ...pending.delivery, state: 'failed' });
      }
    }
    await Promise.all(runs.map(([, { ended }]) => ended));
  }

  /** Abandons every delivery, and accepts no more events. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.giveUp(new MockClosedError('A delivery'));
  }

  save(): OutboxState {
    return {
      endpoints: [...this.#endpoints],
      deliveries: this.deliveries,
      pending: [...this.#runs.values()].map(({ pending }) => pending),
      deliveryFaults: this.deliveryFaults.save(),
    };
  }

  /** Restores a state: abandons the present deliveries, and resumes those that were pending then. */
  load({ endpoints, deliveries, pending, deliveryFaults }: OutboxState): void {
    for (const id of this.#runs.keys()) {
      this.#stop(id, new MockError('MOCK_RESTORED', 'The mock was restored or reset'));
    }
    this.#endpoints = [...endpoints];
    this.#record.load(deliveries);
    this.deliveryFaults.load(deliveryFaults);
    for (const each of pending) {
      this.#start(each);
    }
  }

  #start(pending: Pending): void {
    const { id } = pending.delivery;
    const ending = new AbortController();
    // Starts a turn later, when it is in the list of runs.
    const ended = Promise.resolve().then(() => this.#deliver(id, ending.signal));
    this.#runs.set(id, { pending, ending, ended });
  }

  #stop(id: string, reason: Error): void {
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
        const { after, left } = await this.#attempt(run.pending, signal);
        if (this.#record.has(id)) {
          this.#record.set(after);
        }
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

  /** Makes the next attempt of a delivery. Returns the delivery afterwards, and what is left to do. */
  async #attempt(
    { delivery, endpoint, messageId, dueAt }: Pending,
    signal: AbortSignal,
  ): Promise<{ after: Delivery; left: Pending | undefined }> {
    const wait = dueAt - this.#clock.now();
    if (wait > 0) {
      await this.#clock.sleepWhile(wait, () => this.#flushing > 0, signal);
    }
    const attempt = await this.#courier.attempt(endpoint, { id: messageId, body: delivery.body }, signal);
    signal.throwIfAborted();
    const taken = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
    const pause = endpoint.retries[delivery.attempts.length];
    const over = taken || pause === undefined;
    const after: Delivery = {
      ...delivery,
      attempts: [...delivery.attempts, attempt],
      state: !over ? 'pending' : taken ? 'delivered' : 'failed',
    };
    return {
      after,
      left: over ? undefined : { delivery: after, endpoint, messageId, dueAt: this.#clock.now() + pause },
    };
  }
}
