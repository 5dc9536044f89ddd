import { namesOf } from '@confab/internal';
import { isWait, WAIT_WANTED } from './calendar.ts';
import { checkNames } from './check-names.ts';
import type { WorldClock } from './clock.ts';
import { Courier } from './courier.ts';
import type { Delivery, Disturbance, EventNames, StatusChange } from './delivery.ts';
import { type CompleteEndpoint, type Endpoint, toEndpoint } from './endpoint.ts';
import type { Random } from './random.ts';

/** A delivery that has not come to its end. */
interface Pending {
  readonly delivery: Delivery;
  readonly endpoint: CompleteEndpoint;
  /** When its next attempt is, in milliseconds since 1970. */
  readonly dueAt: number;
}

/** All endpoints and deliveries at one moment. */
export interface OutboxState {
  readonly endpoints: readonly CompleteEndpoint[];
  readonly deliveries: readonly Delivery[];
  readonly pending: readonly Pending[];
  readonly disturbances: readonly Disturbance[];
}

interface OutboxOptions {
  readonly clock: WorldClock;
  readonly random: Random;
  readonly events?: EventNames | undefined;
}

const DISTURBANCE = namesOf<Disturbance>({ copies: true, delayMs: true });

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
  #pending = new Map<string, Pending>();
  #disturbances: Disturbance[] = [];
  #running = new Set<Promise<void>>();
  #abandon = new AbortController();
  #flushing = 0;

  constructor({ clock, random, events = {} }: OutboxOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#events = events;
    this.#courier = new Courier({ clock, hurried: () => this.#flushing > 0 });
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
   * Sends the next event that anybody receives astray.
   *
   * @throws {RangeError} For anything but whole copies and a finite delay, both from 0 up.
   * @example
   * mock.webhooks.disturb({ copies: 2 });
   * mock.webhooks.disturb({ delayMs: 5_000 });
   */
  disturb(disturbance: Disturbance): void {
    checkNames('disturbance field', disturbance, DISTURBANCE);
    const { copies = 1, delayMs = 0 } = disturbance;
    if (!(Number.isInteger(copies) && copies >= 0))
      throw new RangeError(`The copies of a disturbance are a whole number from 0 up, not ${copies}`);
    if (!isWait(delayMs))
      throw new RangeError(`The delayMs of a disturbance is ${WAIT_WANTED}, not ${delayMs}`);
    this.#disturbances.push({ copies, delayMs });
  }

  /**
   * Sends an event to every endpoint; for those that no operation causes.
   *
   * @example
   * mock.webhooks.emit('conversation.resolved', { conversationId });
   */
  emit(event: string, data: unknown): void {
    if (this.#endpoints.length === 0) return;
    const body = JSON.stringify({ event, data });
    const { copies = 1, delayMs = 0 } = this.#disturbances.shift() ?? {};
    const dueAt = this.#clock.now() + delayMs;
    for (const endpoint of this.#endpoints) {
      for (let copy = 0; copy < copies; copy += 1) {
        const id = this.#random.id();
        const delivery: Delivery = {
          id,
          url: endpoint.url,
          event,
          data,
          body,
          state: 'pending',
          attempts: [],
        };
        this.#remember(delivery);
        this.#start({ delivery, endpoint, dueAt });
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
      pending: [...this.#pending.values()],
      disturbances: [...this.#disturbances],
    };
  }

  /** Goes back: what is on its way is abandoned, and what was on its way then sets out again. */
  load({ endpoints, deliveries, pending, disturbances }: OutboxState): void {
    this.#abandon.abort(new Error('The mock was restored or reset'));
    this.#abandon = new AbortController();
    this.#endpoints = [...endpoints];
    this.#deliveries = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
    this.#disturbances = [...disturbances];
    this.#pending = new Map();
    for (const each of pending) this.#start(each);
  }

  #remember(delivery: Delivery): void {
    this.#deliveries.set(delivery.id, delivery);
    const [oldest] = this.#deliveries.keys();
    if (this.#deliveries.size > KEPT && oldest !== undefined) this.#deliveries.delete(oldest);
  }

  #start(pending: Pending): void {
    this.#pending.set(pending.delivery.id, pending);
    const run = this.#deliver(pending, this.#abandon.signal);
    this.#running.add(run);
    void run.finally(() => this.#running.delete(run));
  }

  async #deliver(first: Pending, signal: AbortSignal): Promise<void> {
    let next: Pending | undefined = first;
    try {
      while (next !== undefined) next = await this.#attempt(next, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Makes the next attempt of a delivery; gives what is left to do after it. */
  async #attempt({ delivery, endpoint, dueAt }: Pending, signal: AbortSignal): Promise<Pending | undefined> {
    const wait = dueAt - this.#clock.now();
    if (wait > 0) await this.#clock.sleepWhile(wait, () => this.#flushing > 0, signal);
    const attempt = await this.#courier.attempt(endpoint, delivery.body, signal);
    signal.throwIfAborted();
    const taken = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
    const pause = endpoint.retries[delivery.attempts.length];
    const left = taken || pause === undefined ? undefined : { endpoint, dueAt: this.#clock.now() + pause };
    const after: Delivery = {
      ...delivery,
      attempts: [...delivery.attempts, attempt],
      state: left !== undefined ? 'pending' : taken ? 'delivered' : 'failed',
    };
    if (this.#deliveries.has(after.id)) this.#deliveries.set(after.id, after);
    const pending = left && { delivery: after, ...left };
    if (pending === undefined) this.#pending.delete(after.id);
    else this.#pending.set(after.id, pending);
    return pending;
  }
}
