import { RETRY, WebhookError } from '../errors/webhook-error.ts';
import type { KnownEvent, UnknownEvent } from '../events/webhook-event.ts';
import { functionOf } from '../options/check-values.ts';

/** What a handler receives in addition to the event. */
export interface DeliveryContext {
  /** The index of the first secret that matches in the `secret` option, or 0 if the option is a single secret. With `process`, undefined. */
  readonly secretIndex?: number | undefined;
  /**
   * The id of the delivery, if the scheme signs one, as `standardWebhooks()` does. With `process`, the id of the queued
   * delivery.
   */
  readonly id: string | undefined;
  /**
   * All headers of the delivery; with `process`, those that `deliveryHeaders` names. They are not signed, except for those
   * that the scheme signs.
   */
  readonly headers: Headers;
  /** The bytes that were signed; undefined with `process`. */
  readonly body?: Uint8Array | undefined;
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
  addAny(handler: EventHandler<never>): Unsubscribe;
  addError(handler: ErrorHandler): Unsubscribe;
  has(event: AnyEvent): boolean;
  run(event: AnyEvent, context: DeliveryContext): Promise<void>;
  report(error: WebhookError, headers: Headers): Promise<void>;
}

const addTo = <Item>(items: Set<Item>, item: Item): Unsubscribe => {
  items.add(functionOf(item, 'A handler'));
  return () => {
    items.delete(item);
  };
};

const failuresOf = async <Arguments extends readonly unknown[]>(
  handlers: Iterable<(...given: Arguments) => unknown>,
  ...given: Arguments
): Promise<unknown[]> => {
  const results = await Promise.allSettled([...handlers].map(async (handler) => handler(...given)));
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
};

/**
 * Creates the handlers of a receiver. All handlers of an event run concurrently, even if one of them fails.
 *
 * @param beforeAdding Called before a handler of events is added. It throws if `enqueue` replaces the handlers, because
 * they would never be called.
 */
export const createHandlers = (beforeAdding: () => void): Handlers => {
  const known = new Map<string, Set<EventHandler<KnownEvent>>>();
  const unknown = new Set<EventHandler<UnknownEvent>>();
  const any = new Set<EventHandler<AnyEvent>>();
  const errors = new Set<ErrorHandler>();

  const handlersOf = (event: AnyEvent) =>
    [...((event.known ? known.get(event.event) : unknown) ?? []), ...any] as EventHandler<AnyEvent>[];

  const addEventHandler = <Item>(items: Set<Item>, item: Item) => {
    beforeAdding();
    return addTo(items, item);
  };

  return {
    add(event, handler) {
      const handlers = known.get(event) ?? new Set();
      known.set(event, handlers);
      return addEventHandler(handlers, handler as EventHandler<KnownEvent>);
    },
    addUnknown: (handler) => addEventHandler(unknown, handler),
    addAny: (handler) => addEventHandler(any, handler as EventHandler<AnyEvent>),
    addError: (handler) => addTo(errors, handler),
    has: (event) => handlersOf(event).length > 0,
    async run(event, context) {
      const failures = await failuresOf(handlersOf(event), event, context);
      if (failures.length === 0) {
        return;
      }
      const cause = failures.length === 1 ? failures[0] : new AggregateError(failures);
      throw new WebhookError(
        'HANDLER_FAILED',
        `${failures.length} of the handlers of ${JSON.stringify(event.event)} failed; see the cause. ${RETRY}`,
        { cause },
      );
    },
    async report(error, headers) {
      await failuresOf(errors, error, { headers });
    },
  };
};
