import { hasMethods, typeName } from '@confab/internal';
import type { Check } from '../../errors/check.ts';
import { isString, throwIfInvalid } from '../../errors/check.ts';
import { readMessage } from '../../errors/failure-reason.ts';
import { invalidArgument, MockClosedError } from '../../errors/mock-error.ts';
import type { WorldClock } from '../clock/clock.ts';
import { limitToCalendar } from '../clock/clock.ts';
import type { Random } from '../store/random.ts';
import type { DeliveriesOptions, DeliveryWatchers } from './deliveries.ts';
import { Deliveries } from './deliveries.ts';
import type { Delivery, EventNames, ScheduledDelivery } from './delivery.ts';
import { eventNameCheck, fieldsByEvent } from './delivery.ts';
import type { MockDeliveryFaults } from './delivery-faults.ts';
import { DeliveryFaults } from './delivery-faults.ts';
import type { AddedEndpoint, Endpoint, ListedEndpoint } from './endpoints.ts';
import { toEndpoint } from './endpoints.ts';

/** The most endpoints at once: each event is delivered to all of them. */
const MAX_ENDPOINTS = 100;

/** All endpoints and deliveries, as a snapshot saves them. */
export interface OutboxState {
  readonly endpoints: readonly AddedEndpoint[];
  readonly deliveries: readonly ScheduledDelivery[];
  readonly deliveryFaults: ReturnType<DeliveryFaults['save']>;
}

interface OutboxOptions extends DeliveriesOptions {
  readonly random: Random;
  readonly events?: EventNames | undefined;
}

const toBody = (event: string, data: unknown): string => {
  let reason = `got ${typeName(data)}`;
  try {
    // JSON writes a promise as an object without fields.
    const json: string | undefined = hasMethods(data, 'then') ? undefined : JSON.stringify(data);
    if (json !== undefined) {
      return `{"event":${JSON.stringify(event)},"data":${json}}`;
    }
  } catch (error) {
    reason = readMessage(error);
  }
  throw invalidArgument(`webhooks.emit(): the data of ${event} cannot be written as JSON: ${reason}.`);
};

/** Delivers events to the endpoints of a mock, and records every delivery. */
export interface MockWebhooks {
  /** Plans what goes wrong with the delivery of the next events. */
  readonly deliveryFaults: MockDeliveryFaults;
  /**
   * Adds an endpoint, to which all later events are delivered. A mock has at most 100 endpoints.
   *
   * @returns The id of the endpoint, for `remove()`.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid, or there are too
   * many.
   * @example
   * ```ts
   * mock.webhooks.add({ url: 'http://127.0.0.1:8080/webhooks', secret: 'whsec_test' });
   * ```
   */
  add(endpoint: Endpoint): string;
  /** The endpoints, without their secrets and headers. */
  readonly endpoints: readonly ListedEndpoint[];
  /**
   * Removes an endpoint, and returns whether it existed. Its pending deliveries continue.
   *
   * @param id The id that `add()` returned.
   * @example
   * ```ts
   * const id = mock.webhooks.add({ url: 'http://127.0.0.1:8080/webhooks', secret: 'whsec_test' });
   * mock.webhooks.remove(id);
   * ```
   */
  remove(id: string): boolean;
  /**
   * The latest deliveries, in the order of their events: at most 10,000, and finished ones only within `maxLogBytes` of
   * memory. If too many are pending, the oldest are abandoned.
   */
  readonly deliveries: readonly Delivery[];
  /**
   * Delivers an event to every endpoint, for events that no operation emits. The event may have any name, except a
   * misspelling of `message.created`, such as `message.create`.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when the name is empty or a misspelling, or JSON cannot express the
   * data.
   * @throws A {@link MockClosedError} when the mock is closed.
   * @example
   * ```ts
   * mock.webhooks.emit('conversation.resolved', { conversationId });
   * ```
   */
  emit(event: string, data: unknown): void;
  /**
   * Delivers the event of a delivery once more, with the same body and id, and returns the new delivery. Use it to test
   * that a receiver handles an event only once.
   *
   * @param id The id of a delivery in `deliveries`.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when no delivery has the id, or its endpoint was removed.
   * @throws A {@link MockClosedError} when the mock is closed.
   * @example
   * ```ts
   * const [delivery] = mock.webhooks.deliveries;
   * if (delivery !== undefined) mock.webhooks.redeliver(delivery.id);
   * ```
   */
  redeliver(id: string): Delivery;
  /**
   * Resolves once every delivery is delivered or has failed.
   *
   * On the virtual clock, the waits between attempts take no real time, and none lasts beyond the year 9999. On the system
   * clock, they take real time: more than twelve minutes with the default `retries` of an endpoint.
   *
   * @example
   * ```ts
   * await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
   * await mock.webhooks.flush();
   * ```
   */
  flush(): Promise<void>;
}

/** Signs events and delivers them to their endpoints, with retries. */
export class Outbox implements MockWebhooks {
  readonly deliveryFaults: DeliveryFaults;
  readonly #clock: WorldClock;
  readonly #random: Random;
  readonly #events: EventNames;
  readonly #isEventName: Check;
  readonly #watchers: DeliveryWatchers;
  readonly #deliveries: Deliveries;
  #endpoints: readonly AddedEndpoint[] = [];
  #added = 0;
  #closed = false;

  constructor(options: OutboxOptions) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#events = options.events ?? {};
    this.#isEventName = eventNameCheck(this.#events);
    this.deliveryFaults = new DeliveryFaults(() => this.#endpoints.map(({ id }) => id), this.#isEventName);
    this.#watchers = options.watchers;
    this.#deliveries = new Deliveries(options);
  }

  add(endpoint: Endpoint): string {
    const complete = toEndpoint(endpoint);
    if (this.#endpoints.length >= MAX_ENDPOINTS) {
      throw invalidArgument(
        `This mock already has ${MAX_ENDPOINTS} endpoints. Remove one with webhooks.remove() first.`,
      );
    }
    this.#added += 1;
    const id = `endpoint_${this.#added}`;
    this.#endpoints = [...this.#endpoints, { ...complete, id }];
    return id;
  }

  get endpoints(): readonly ListedEndpoint[] {
    return this.#endpoints.map(({ secret: _, fetch: __, headers: ___, ...listed }) => listed);
  }

  remove(id: string): boolean {
    throwIfInvalid(isString('id', id));
    const before = this.#endpoints.length;
    this.#endpoints = this.#endpoints.filter((endpoint) => endpoint.id !== id);
    return this.#endpoints.length < before;
  }

  get deliveries(): readonly Delivery[] {
    return this.#deliveries.all.map(({ delivery }) => delivery);
  }

  /** The fields of the events that the mock sends by itself, for the matchers. */
  get eventFields(): ReturnType<typeof fieldsByEvent> {
    return fieldsByEvent(this.#events);
  }

  emit(event: string, data: unknown): void {
    if (this.#closed) {
      throw new MockClosedError('webhooks.emit() was called');
    }
    throwIfInvalid(this.#isEventName('event', event));
    const body = toBody(event, data);
    if (this.#endpoints.length === 0) {
      return;
    }
    const faults = this.deliveryFaults.take(body);
    let messageId: string | undefined;
    for (const [index, endpoint] of this.#endpoints.entries()) {
      const fault = faults[index];
      const { copies = 1, delayMs = 0 } = fault ?? {};
      const dueAt = limitToCalendar(this.#clock.now() + delayMs);
      for (let copy = 0; copy < copies; copy += 1) {
        const id = this.#random.id();
        messageId ??= `msg_${id}`;
        this.#start({ id, messageId, event, data, body, fault }, endpoint, dueAt);
      }
    }
  }

  redeliver(id: string): Delivery {
    if (this.#closed) {
      throw new MockClosedError('webhooks.redeliver() was called');
    }
    if (typeof id !== 'string') {
      throw invalidArgument(
        `webhooks.redeliver() must be called with the id of a delivery, got ${typeName(id)}.`,
      );
    }
    const earlier = this.#deliveries.get(id);
    if (earlier === undefined) {
      throw invalidArgument(`webhooks.redeliver(): no delivery has the id ${id}.`);
    }
    const endpoint = this.#endpoints.find((each) => each.id === earlier.endpointId);
    if (endpoint === undefined) {
      throw invalidArgument(
        `webhooks.redeliver(): the endpoint ${earlier.endpointId} (${earlier.url}) was removed. Add it again, and emit another event.`,
      );
    }
    const again = { ...earlier, id: this.#random.id(), fault: undefined };
    return this.#start(again, endpoint, this.#clock.now());
  }

  async flush(): Promise<void> {
    await this.#deliveries.flush();
  }

  /** Flushes for at most `ms` milliseconds of real time, and returns the deliveries that are still pending. */
  async flushFor(ms: number): Promise<readonly ScheduledDelivery[]> {
    await this.#deliveries.flush(ms);
    return this.#deliveries.pending;
  }

  /** Emits an event that the API leaves unnamed, if the options name it. */
  emitIfNamed(event: keyof EventNames, data: unknown): void {
    const name = this.#events[event];
    if (name !== undefined) {
      this.emit(name, data);
    }
  }

  /** Abandons every pending delivery. Resolves once all of them have ended. */
  async abandonDeliveries(reason: Error): Promise<void> {
    await this.#deliveries.abandon(reason);
  }

  /** Abandons every delivery, and accepts no more events. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.abandonDeliveries(new MockClosedError('A delivery was still in progress'));
  }

  save(): OutboxState {
    return {
      endpoints: this.#endpoints,
      deliveries: this.#deliveries.all,
      deliveryFaults: this.deliveryFaults.save(),
    };
  }

  /** Restores a state: abandons the present deliveries, and resumes those that were pending in it. */
  load({ endpoints, deliveries, deliveryFaults }: OutboxState): void {
    this.#endpoints = endpoints;
    this.#deliveries.load(deliveries);
    this.deliveryFaults.load(deliveryFaults);
  }

  #start(
    event: Pick<Delivery, 'id' | 'messageId' | 'event' | 'data' | 'body' | 'fault'>,
    endpoint: AddedEndpoint,
    dueAt: number,
  ): Delivery {
    const { id, url } = endpoint;
    const delivery: Delivery = { ...event, endpointId: id, url, state: 'pending', attempts: [] };
    this.#deliveries.add({ delivery, endpoint, dueAt });
    this.#watchers.report('delivery', delivery);
    return delivery;
  }
}
