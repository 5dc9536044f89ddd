import { WebhookConfigurationError } from '../errors/webhook-configuration-error.ts';
import { WebhookError } from '../errors/webhook-error.ts';
import type { KnownEvent, UnknownEvent } from '../events/webhook-event.ts';

/** What a handler can know about the delivery beside its event. */
export interface DeliveryContext {
  /** The place of its secret in the list that you gave: the first that matches, 0 if there is only one. */
  readonly secretIndex: number;
  readonly headers: Headers;
  /** The bytes that were signed. */
  readonly body: Uint8Array;
  /** Aborts when the sender goes away before the answer, where the framework tells. */
  readonly signal: AbortSignal;
}

/** Acts on an event; if it throws or rejects, the answer is 500 and the sender comes again. */
export type EventHandler<Event> = (event: Event, context: DeliveryContext) => unknown;

/**
 * Is told of a delivery that was refused or failed. The response does not wait for it, and what it throws is ignored.
 */
export type ErrorHandler = (error: WebhookError, context: { readonly headers: Headers }) => unknown;

type AnyEvent = KnownEvent | UnknownEvent;

/** Takes a handler out again. */
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
    throw new WebhookConfigurationError(`A handler must be a function, not ${typeof item}.`);
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

/** Builds the set of handlers. Those of one event run side by side: one that fails does not keep back another. */
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
        `${failures.length} handler(s) of ${JSON.stringify(event.event)} failed; see the cause. The answer is 500, so that the sender delivers it again.`,
        { cause },
      );
    },
    async report(error, headers) {
      await failuresOf(Array.from(errors, (handler) => () => handler(error, { headers })));
    },
  };
};
