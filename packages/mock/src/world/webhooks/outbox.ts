import { shown } from '../../errors/check.ts';
import { invalidArgument, MockClosedError, MockError } from '../../errors/mock-error.ts';
import type { WorldClock } from '../clock/clock.ts';
import { untilEndOfCalendar } from '../clock/clock.ts';
import { realTimer } from '../clock/timers.ts';
import type { Random } from '../store/random.ts';
import type { Delivery, EventNames, StatusChange } from './delivery.ts';
import type { CompleteDeliveryFault } from './delivery-faults.ts';
import { DeliveryFaults } from './delivery-faults.ts';
import { DeliveryLog } from './delivery-log.ts';
import { DeliveryRuns } from './delivery-runs.ts';
import type { AddedEndpoint, Endpoint, ListedEndpoint } from './endpoints.ts';
import { Endpoints } from './endpoints.ts';
import type { PendingDelivery } from './retry.ts';

/** All endpoints and deliveries, as a snapshot saves them. */
export interface OutboxState {
  readonly endpoints: readonly AddedEndpoint[];
  readonly deliveries: readonly Delivery[];
  readonly pending: readonly PendingDelivery[];
  readonly deliveryFaults: readonly CompleteDeliveryFault[];
}

interface OutboxOptions {
  readonly clock: WorldClock;
  readonly random: Random;
  readonly events?: EventNames | undefined;
  /** The memory that finished deliveries may take. */
  readonly maxBytes: number;
  /** Called with each new delivery and each new state of one. */
  readonly onChange?: ((delivery: Delivery) => void) | undefined;
}

const toBody = (event: string, data: unknown): string => {
  if (typeof event !== 'string' || event === '') {
    throw invalidArgument(`webhooks.emit(): the event must be a non-empty string, got ${shown(event)}`);
  }
  try {
    return JSON.stringify({ event, data });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw invalidArgument(`webhooks.emit(): the data of ${event} cannot be written as JSON: ${reason}`);
  }
};

const abandoned = (why: string): MockError => new MockError('DELIVERY_ABANDONED', why);

/** Signs events and delivers them to their endpoints, with retries. */
export class Outbox {
  /** Plans what goes wrong with the delivery of the next events. */
  readonly deliveryFaults = new DeliveryFaults();
  readonly #clock: WorldClock;
  readonly #random: Random;
  readonly #events: EventNames;
  readonly #runs: DeliveryRuns;
  readonly #record: DeliveryLog;
  readonly #endpoints = new Endpoints();
  readonly #listeners = new Set<(delivery: Delivery) => void>();
  #closed = false;

  constructor({ clock, random, maxBytes, onChange, events = {} }: OutboxOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#events = events;
    this.#record = new DeliveryLog({
      maxBytes,
      onChange,
      onGiveUp: (id) => this.#runs.stop(id, abandoned('Too many deliveries were waiting')),
    });
    this.#runs = new DeliveryRuns({
      clock,
      record: this.#record,
      onAttempt: (delivery) => {
        for (const listener of this.#listeners) {
          listener(delivery);
        }
      },
    });
  }

  /**
   * Adds an endpoint, to which all events from now on are delivered. A mock has at most 100 of them.
   *
   * @returns The id of the endpoint, for `remove()`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid, or there are too many.
   * @example
   * ```ts
   * mock.webhooks.add({ url: 'http://127.0.0.1:8080/webhooks', secret: 'whsec_test' });
   * ```
   */
  add(endpoint: Endpoint): string {
    return this.#endpoints.add(endpoint);
  }

  /** The endpoints, without their secrets. */
  get endpoints(): readonly ListedEndpoint[] {
    return this.#endpoints.list();
  }

  /**
   * Removes an endpoint, and returns whether it existed. Deliveries to it that are under way go on.
   *
   * @param id The id that `add()` returned.
   * @example
   * ```ts
   * const id = mock.webhooks.add({ url: 'http://127.0.0.1:8080/webhooks', secret: 'whsec_test' });
   * mock.webhooks.remove(id);
   * ```
   */
  remove(id: string): boolean {
    return this.#endpoints.remove(id);
  }

  /**
   * The latest deliveries, in the order of their events: at most 10,000, and at most `maxLogBytes` of memory for finished
   * ones. If too many are pending, the oldest are abandoned.
   */
  get deliveries(): readonly Delivery[] {
    return this.#record.all;
  }

  /** The memory that the deliveries take, in bytes. */
  get bytes(): number {
    return this.#record.bytes;
  }

  /**
   * Delivers an event to every endpoint: for events that no operation emits.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the event has no name, or the data cannot be written as JSON.
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
    const body = toBody(event, data);
    if (this.#endpoints.all.length === 0) {
      return;
    }
    const { copies, delayMs } = this.deliveryFaults.take();
    const dueAt = untilEndOfCalendar(this.#clock.now() + delayMs);
    let messageId: string | undefined;
    for (const endpoint of this.#endpoints.all) {
      for (let copy = 0; copy < copies; copy += 1) {
        const id = this.#random.id();
        messageId ??= `msg_${id}`;
        this.#begin({ id, messageId, event, data, body }, endpoint, dueAt);
      }
    }
  }

  /**
   * Delivers the event of a delivery once more, with the same body and signed id, and returns the new delivery: for
   * receivers that must handle an event only once.
   *
   * @param id The id of a delivery in `deliveries`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when no delivery has the id, or its endpoint was removed.
   * @throws {@link MockClosedError} When the mock is closed.
   * @example
   * ```ts
   * const [delivery] = mock.webhooks.deliveries;
   * if (delivery !== undefined) mock.webhooks.redeliver(delivery.id);
   * ```
   */
  redeliver(id: string): Delivery {
    if (this.#closed) {
      throw new MockClosedError('webhooks.redeliver()');
    }
    const earlier = this.#record.get(id);
    if (earlier === undefined) {
      throw invalidArgument(`webhooks.redeliver(): no delivery has the id ${id}`);
    }
    const endpoint = this.#endpoints.all.find((each) => each.id === earlier.endpointId);
    if (endpoint === undefined) {
      throw invalidArgument(
        `webhooks.redeliver(): the endpoint ${earlier.endpointId} (${earlier.url}) was removed. Add it again, and emit another event.`,
      );
    }
    return this.#begin({ ...earlier, id: this.#random.id() }, endpoint, this.#clock.now());
  }

  /**
   * Resolves once every delivery is delivered or has failed.
   *
   * On the virtual clock, the waits between attempts pass by themselves; those that would lead beyond the year 9999 end
   * with it. On the system clock, they take real time: with the default `retries` of an endpoint, more than twelve minutes.
   *
   * @example
   * ```ts
   * await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
   * await mock.webhooks.flush();
   * ```
   */
  async flush(): Promise<void> {
    await this.#runs.flush();
  }

  /** Flushes for some milliseconds of real time at most. Returns the deliveries that are still pending. */
  async flushFor(ms: number): Promise<readonly PendingDelivery[]> {
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = realTimer(ms, resolve);
    });
    try {
      await this.#runs.flush(late);
    } finally {
      cancel();
    }
    return this.#runs.pending;
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

  /** Calls a listener with a delivery after each attempt, until the returned function is called. */
  subscribe(listener: (delivery: Delivery) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Abandons every unfinished delivery. Resolves once all of them have ended. */
  async giveUp(reason: Error): Promise<void> {
    const ended = this.#runs.ended();
    for (const { delivery } of this.#runs.pending) {
      this.#runs.stop(delivery.id, reason);
      if (this.#record.get(delivery.id) !== undefined) {
        this.#record.set({ ...delivery, state: 'failed' });
      }
    }
    await ended;
  }

  /** Abandons every delivery, and accepts no more events. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.giveUp(new MockClosedError('A delivery'));
  }

  save(): OutboxState {
    return {
      endpoints: this.#endpoints.all,
      deliveries: this.deliveries,
      pending: this.#runs.pending,
      deliveryFaults: this.deliveryFaults.save(),
    };
  }

  /** Restores a state: abandons the present deliveries, and resumes those that were pending then. */
  load({ endpoints, deliveries, pending, deliveryFaults }: OutboxState): void {
    for (const { delivery } of this.#runs.pending) {
      this.#runs.stop(delivery.id, new MockError('MOCK_RESTORED', 'The mock was restored or reset'));
    }
    this.#endpoints.load(endpoints);
    this.#record.load(deliveries);
    this.deliveryFaults.load(deliveryFaults);
    for (const each of pending) {
      this.#runs.start(each);
    }
  }

  #begin(
    { id, messageId, event, data, body }: Pick<Delivery, 'id' | 'messageId' | 'event' | 'data' | 'body'>,
    endpoint: AddedEndpoint,
    dueAt: number,
  ): Delivery {
    const delivery: Delivery = {
      id,
      endpointId: endpoint.id,
      url: endpoint.url,
      messageId,
      event,
      data,
      body,
      state: 'pending',
      attempts: [],
    };
    // The run first: a full record drops deliveries, perhaps this one, and stops their runs.
    this.#runs.start({ delivery, endpoint, dueAt });
    this.#record.set(delivery);
    return delivery;
  }
}
