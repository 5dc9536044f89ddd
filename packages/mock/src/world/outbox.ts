import type { WorldClock } from './clock.ts';
import { Courier } from './courier.ts';
import type { Delivery, Disturbance, EventNames, StatusChange } from './delivery.ts';
import { type CompleteEndpoint, type Endpoint, toEndpoint } from './endpoint.ts';
import type { Random } from './random.ts';

/** All endpoints and deliveries at one moment. */
export interface OutboxState {
  readonly endpoints: readonly CompleteEndpoint[];
  readonly deliveries: readonly Delivery[];
  readonly disturbances: readonly Disturbance[];
}

interface OutboxOptions {
  readonly clock: WorldClock;
  readonly random: Random;
  readonly events?: EventNames | undefined;
}

/** Kept at most; a server that runs for days must not fill the memory. */
const KEPT = 10_000;

/** Signs events and brings them to their receivers, again and again until they take them. */
export class Outbox {
  readonly #clock: WorldClock;
  readonly #random: Random;
  readonly #events: EventNames;
  readonly #courier: Courier;
  #endpoints: CompleteEndpoint[] = [];
  #deliveries = new Map<string, Delivery>();
  #disturbances: Disturbance[] = [];
  #running = new Set<Promise<void>>();
  #abandon = new AbortController();
  #flushing = 0;

  constructor({ clock, random, events = {} }: OutboxOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#events = events;
    this.#courier = new Courier(clock);
  }

  /**
   * Delivers all events from now on to one more endpoint.
   *
   * @throws {TypeError} For a URL that is not http or https, or a secret or signature that can't be signed with.
   * @example
   * mock.webhooks.add({ url: 'http://127.0.0.1:8080/webhooks', secret: 'whsec_test' });
   */
  add(endpoint: Endpoint): void {
    this.#endpoints.push(toEndpoint(endpoint));
  }

  /** The latest 10,000 deliveries, in the order in which the events happened. */
  get deliveries(): readonly Delivery[] {
    return [...this.#deliveries.values()];
  }

  /**
   * Sends the next event astray.
   *
   * @example
   * mock.webhooks.disturb({ copies: 2 });
   * mock.webhooks.disturb({ delayMs: 5_000 });
   */
  disturb(disturbance: Disturbance): void {
    this.#disturbances.push(disturbance);
  }

  /**
   * Sends an event to every endpoint; for those that no operation causes.
   *
   * @example
   * mock.webhooks.emit('conversation.resolved', { conversationId });
   */
  emit(event: string, data: unknown): void {
    const { copies = 1, delayMs = 0 } = this.#disturbances.shift() ?? {};
    const body = JSON.stringify({ event, data });
    for (const endpoint of this.#endpoints) {
      for (let copy = 0; copy < copies; copy += 1) {
        const delivery: Delivery = {
          id: this.#random.id(),
          url: endpoint.url,
          event,
          data,
          body,
          state: 'pending',
          attempts: [],
        };
        this.#remember(delivery);
        const run = this.#deliver(endpoint, delivery, delayMs);
        this.#running.add(run);
        void run.finally(() => this.#running.delete(run));
      }
    }
  }

  /**
   * Resolves once every delivery has been taken or given up; under the virtual clock, the waits between attempts
   * pass by themselves.
   *
   * @example
   * await mock.inbound({ phone: '+5511987654321', body: 'Hello' });
   * await mock.webhooks.flush();
   */
  async flush(): Promise<void> {
    this.#flushing += 1;
    this.#clock.poke();
    try {
      while (this.#running.size > 0) await Promise.all(this.#running);
    } finally {
      this.#flushing -= 1;
    }
  }

  conversationCreated(data: unknown): void {
    if (this.#events.newConversation !== undefined) this.emit(this.#events.newConversation, data);
  }

  statusChanged(change: StatusChange): void {
    if (this.#events.statusChange !== undefined) this.emit(this.#events.statusChange, change);
  }

  save(): OutboxState {
    return {
      endpoints: [...this.#endpoints],
      deliveries: this.deliveries,
      disturbances: [...this.#disturbances],
    };
  }

  /** Goes back; what is on its way is abandoned. */
  load({ endpoints, deliveries, disturbances }: OutboxState): void {
    this.#abandon.abort(new Error('The mock was restored or reset'));
    this.#abandon = new AbortController();
    this.#endpoints = [...endpoints];
    this.#deliveries = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
    this.#disturbances = [...disturbances];
  }

  #remember(delivery: Delivery): void {
    this.#deliveries.set(delivery.id, delivery);
    const [oldest] = this.#deliveries.keys();
    if (this.#deliveries.size > KEPT && oldest !== undefined) this.#deliveries.delete(oldest);
  }

  async #deliver(endpoint: CompleteEndpoint, first: Delivery, delayMs: number): Promise<void> {
    const { signal } = this.#abandon;
    let delivery = first;
    const update = (changes: Partial<Delivery>) => {
      delivery = { ...delivery, ...changes };
      if (this.#deliveries.has(delivery.id)) this.#deliveries.set(delivery.id, delivery);
    };
    try {
      for (const wait of [delayMs, ...endpoint.retries]) {
        if (wait > 0) await this.#clock.sleepWhile(wait, () => this.#flushing > 0, signal);
        const attempt = await this.#courier.attempt(endpoint, delivery.body, signal);
        const taken = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
        signal.throwIfAborted();
        update({ attempts: [...delivery.attempts, attempt], state: taken ? 'delivered' : 'pending' });
        if (taken) return;
      }
      update({ state: 'failed' });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
