import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import type { KnownEvent, UnknownEvent } from '../events/webhook-event.ts';

/** What a handler receives in addition to the event. */
export interface DeliveryContext {
  /** The index of the first secret that matches in the `secret` option, or 0 if the option is a single secret. */
  readonly secretIndex: number;
  /** The id of the delivery, if the scheme signs one, as `standardWebhooks()` does. */
  readonly id: string | undefined;
  /** All headers of the delivery. They are not signed, except for those that the scheme signs. */
  readonly headers: Headers;
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  /** Aborts when the sender disconnects before the response, on frameworks that report it. */
  readonly signal: AbortSignal;
}

/** Handles an event. If it throws or rejects, the response is 500 and the sender retries. */
export type EventHandler<Event> = (event: Event, context: DeliveryContext) => unknown;

/**
 * Observes deliveries that were refused or that failed. The response does not wait for it. Return values and exceptions
 * are ignored.
 */
export type ErrorHandler = (error: WebhookError, context: { readonly headers: Headers }) => unknown;

type AnyEvent = KnownEvent | UnknownEvent;

/** Removes a handler. */
export type Unsubscribe = () => void;

/** The handlers of one receiver. */
export interface Handlers {
  add(event: string, handler: EventHandler<never>): Unsubscribe;
  addUnknown(handler: EventHandler<UnknownEvent>): Unsubscribe;
  addError(handler: ErrorHandler): Unsubscribe;
  has(event: AnyEvent): boolean;
  run(event: AnyEvent, context: DeliveryContext): Promise<void>;
  report(error: WebhookError, headers: Headers): Promise<void>;
}

const addTo = <Item>(items: Set<Item>, item: Item): Unsubscribe => {
  if (typeof item !== 'function') {
    throw new WebhookConfigurationError(`A handler must be a function, got ${typeof item}.`);
  }
  items.add(item);
  return () => {
    items.delete(item);
  };
};

const failuresOf = async (calls: Iterable<() => unknown>): Promise<unknown[]> => {
  const results = await Promise.allSettled([...calls].map(async (call) => call()));
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
};

/** Creates the handlers of a receiver. All handlers of an event run concurrently, even if one of them fails. */
export const createHandlers = (): Handlers => {
  const known = new Map<string, Set<EventHandler<KnownEvent>>>();
  const unknown = new Set<EventHandler<UnknownEvent>>();
  const errors = new Set<ErrorHandler>();

  const callsOf = (event: AnyEvent, context: DeliveryContext): (() => unknown)[] =>
    event.known
      ? Array.from(known.get(event.event) ?? [], (handler) => () => handler(event, context))
      : Array.from(unknown, (handler) => () => handler(event, context));

  return {
    add(event, handler) {
      const handlers = known.get(event) ?? new Set();
      known.set(event, handlers);
      return addTo(handlers, handler as EventHandler<KnownEvent>);
    },
    addUnknown: (handler) => addTo(unknown, handler),
    addError: (handler) => addTo(errors, handler),
    has: (event) => (event.known ? (known.get(event.event)?.size ?? 0) : unknown.size) > 0,
    async run(event, context) {
      const failures = await failuresOf(callsOf(event, context));
      if (failures.length === 0) {
        return;
      }
      const cause = failures.length === 1 ? failures[0] : new AggregateError(failures);
      throw new WebhookError(
        'HANDLER_FAILED',
        `${failures.length} handler(s) of ${JSON.stringify(event.event)} failed; see the cause. The response is 500, so the sender retries.`,
        { cause },
      );
    },
    async report(error, headers) {
      await failuresOf(Array.from(errors, (handler) => () => handler(error, { headers })));
    },
  };
};
