import { createWebhooks, type Secret, type SignatureOptions, sign } from '@confab/webhooks';
import type { WorldClock } from './clock.ts';
import type { Random } from './random.ts';

/** Where events are delivered to. */
export interface Endpoint {
  /** Where deliveries are posted. */
  readonly url: string;
  /** What they are signed with; a string stands for its UTF-8 bytes. */
  readonly secret: Secret;
  /**
   * Header and encoding of the signature.
   * @default { header: 'x-webhook-signature', encoding: 'hex' }
   */
  readonly signature?: SignatureOptions;
  /**
   * Milliseconds to wait before each further attempt; after the last one, the delivery is given up.
   * @default [1_000, 5_000, 30_000, 120_000, 600_000]
   */
  readonly retries?: readonly number[];
  /**
   * Takes deliveries within this process, instead of the network: `webhooks.fetch`.
   * @default the platform's fetch
   */
  readonly fetch?: (request: Request) => Response | Promise<Response>;
}

/** One attempt to deliver. */
export interface Attempt {
  /** Milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** Status of the answer; `undefined` if none came. */
  readonly status: number | undefined;
  /** Why none came. */
  readonly error: string | undefined;
}

/** One event on its way to one endpoint. */
export interface Delivery {
  readonly id: string;
  readonly url: string;
  readonly event: string;
  readonly data: unknown;
  /** What was posted, byte for byte. */
  readonly body: string;
  readonly state: 'pending' | 'delivered' | 'failed';
  readonly attempts: readonly Attempt[];
}

/** A change of the status of a lead or a conversation. */
export interface StatusChange {
  readonly resource: 'lead' | 'conversation';
  readonly id: string;
  readonly from: string;
  readonly to: string;
}

/** Names for the events that the API mentions without naming them; those without a name are not sent. */
export interface EventNames {
  readonly newConversation?: string;
  readonly statusChange?: string;
}

/** How the next event goes astray. */
export interface Disturbance {
  /**
   * How often it is delivered.
   * @default 1
   */
  readonly copies?: number;
  /**
   * Milliseconds on the mock's clock before its first attempt; events after it overtake it.
   * @default 0
   */
  readonly delayMs?: number;
}

/** All endpoints and deliveries at one moment. */
export interface OutboxState {
  readonly endpoints: readonly Endpoint[];
  readonly deliveries: readonly Delivery[];
  readonly disturbances: readonly Disturbance[];
}

const SIGNATURE: SignatureOptions = { header: 'x-webhook-signature', encoding: 'hex' };
const RETRIES = [1_000, 5_000, 30_000, 120_000, 600_000];

/** Real milliseconds after which a receiver is taken to be dead. */
const TIMEOUT = 10_000;

/** Taken before anything patches the global one: a delivery is not a request to intercept. */
const platformFetch = globalThis.fetch;

interface OutboxOptions {
  readonly clock: WorldClock;
  readonly random: Random;
  readonly events?: EventNames | undefined;
}

/** Signs events and brings them to their receivers, again and again until they take them. */
export class Outbox {
  readonly #clock: WorldClock;
  readonly #random: Random;
  readonly #events: EventNames;
  #endpoints: Endpoint[] = [];
  #deliveries = new Map<string, Delivery>();
  #disturbances: Disturbance[] = [];
  #running = new Set<Promise<void>>();
  #abandon = new AbortController();
  #flushing = 0;
  /** Signing takes a moment; events still leave in the order in which they happened. */
  #departures: Promise<void> = Promise.resolve();

  constructor({ clock, random, events = {} }: OutboxOptions) {
    this.#clock = clock;
    this.#random = random;
    this.#events = events;
  }

  /**
   * Delivers all events from now on to one more endpoint.
   *
   * @throws {TypeError} For a URL that is not http or https, or a secret or signature that can't be signed with.
   * @example
   * mock.webhooks.add({ url: 'http://127.0.0.1:8080/webhooks', secret: 'whsec_test' });
   */
  add(endpoint: Endpoint): void {
    const url = URL.parse(endpoint.url);
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new TypeError(`The url of an endpoint is http or https, not ${JSON.stringify(endpoint.url)}`);
    const { secret, signature = SIGNATURE } = endpoint;
    // A receiver with these options refuses at once what would otherwise fail at the first delivery.
    createWebhooks({ secret, signature });
    this.#endpoints.push({ ...endpoint });
  }

  /** Every delivery so far, in the order in which the events happened. */
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
        this.#deliveries.set(delivery.id, delivery);
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

  async #deliver(endpoint: Endpoint, first: Delivery, delayMs: number): Promise<void> {
    const { signal } = this.#abandon;
    let delivery = first;
    const update = (changes: Partial<Delivery>) => {
      delivery = { ...delivery, ...changes };
      if (!signal.aborted) this.#deliveries.set(delivery.id, delivery);
    };
    try {
      for (const wait of [delayMs, ...(endpoint.retries ?? RETRIES)]) {
        if (wait > 0) await this.#clock.sleepWhile(wait, () => this.#flushing > 0, signal);
        const attempt = await this.#attempt(endpoint, delivery.body, signal);
        const taken = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
        update({ attempts: [...delivery.attempts, attempt], state: taken ? 'delivered' : 'pending' });
        if (taken) return;
      }
      update({ state: 'failed' });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #attempt(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<Attempt> {
    const idle = this.#clock.busy();
    try {
      const request = await this.#depart(endpoint, body, signal);
      const at = this.#clock.now();
      try {
        const { fetch = platformFetch } = endpoint;
        const response = await fetch(request);
        await response.body?.cancel();
        return { at, status: response.status, error: undefined };
      } catch (error) {
        signal.throwIfAborted();
        return { at, status: undefined, error: String(error) };
      }
    } finally {
      idle();
    }
  }

  async #depart(endpoint: Endpoint, body: string, signal: AbortSignal): Promise<Request> {
    const before = this.#departures;
    let leave = () => {};
    this.#departures = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      const signed = await sign(body, {
        secret: endpoint.secret,
        signature: endpoint.signature ?? SIGNATURE,
        timestamp: Math.floor(this.#clock.now() / 1000),
      });
      await before;
      return new Request(endpoint.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...signed },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      });
    } finally {
      leave();
    }
  }
}
