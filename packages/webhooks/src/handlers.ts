import { showValue, typeName, unknownNames } from '@confab/internal';
import type { ClaimState } from './dedupe/dedupe-store.ts';
import type { HandledDelivery, Inbox, RunResult } from './dedupe/inbox.ts';
import { RETRY, runUserCode, WebhookConfigurationError, WebhookError } from './errors.ts';
import type { AnyEvent } from './event.ts';

/** The context of an event, which a handler receives as its second argument. */
export interface DeliveryContext<Tx = undefined> {
  /** The index of the first matching secret in the option `secret`, or 0 if the option is not a list. */
  readonly secretIndex?: number | undefined;
  /**
   * The id of the delivery, if the scheme signs one, as `standardWebhooks()` does. With `process`, the id of the queued
   * delivery.
   */
  readonly id: string | undefined;
  /**
   * All headers of the delivery; with `process`, only the headers that `deliveryHeaders` names. Headers are not signed,
   * except for the ones that the scheme signs.
   */
  readonly headers: Headers;
  /** The URL of the request, if the option `secret` is a function. */
  readonly url?: string | undefined;
  /** The bytes that were signed; undefined with `process`. */
  readonly body?: Uint8Array | undefined;
  /** Aborts when the sender disconnects before the response, on frameworks that report it. */
  readonly signal: AbortSignal;
  /**
   * The client of the transaction that also remembers the delivery, if `dedupe` is an inbox. Await each query, and neither
   * end the transaction nor release the client.
   */
  readonly tx: Tx;
}

/** Handles an event. If it throws or rejects, the response is 500 and the sender retries. */
export type EventHandler<Event, Tx = undefined> = (event: Event, context: DeliveryContext<Tx>) => unknown;

/**
 * Observes deliveries that were refused or that failed. The response does not wait for the handler, and its return value
 * and exceptions are ignored.
 */
export type ErrorHandler = (error: WebhookError, context: { readonly headers: Headers }) => unknown;

/** Removes a handler. */
export type Unsubscribe = () => void;

export interface Handlers {
  /** By event name. */
  readonly known: Map<string, Set<EventHandler<never, never>>>;
  readonly unknown: Set<EventHandler<never, never>>;
  readonly any: Set<EventHandler<never, never>>;
  readonly error: Set<ErrorHandler>;
}

/**
 * Creates the sets of handlers, all of them empty.
 *
 * @param names The names of the events that have a schema.
 */
export const createHandlers = (names: Iterable<string>): Handlers => ({
  known: new Map([...names].map((name) => [name, new Set()])),
  unknown: new Set(),
  any: new Set(),
  error: new Set(),
});

/**
 * Adds a handler to a set.
 *
 * @returns A function that removes this handler, even if the same function was added several times.
 * @throws A {@link WebhookConfigurationError} when the handler is not a function.
 */
export const addHandler = <Handler>(handlers: Set<Handler>, handler: Handler): Unsubscribe => {
  if (typeof handler !== 'function') {
    throw new WebhookConfigurationError(`A handler must be a function, got ${typeName(handler)}.`);
  }
  // A copy of the function, because a set would keep a function only once, although it was added twice.
  const added = handler.bind(undefined) as Handler;
  handlers.add(added);
  return () => {
    handlers.delete(added);
  };
};

/**
 * Returns the set of handlers for the events of one name.
 *
 * @throws A {@link WebhookConfigurationError} when events of this name have no schema.
 */
export const findHandlers = ({ known }: Handlers, event: string): Set<EventHandler<never, never>> => {
  const handlers = known.get(event);
  if (handlers === undefined) {
    throw new WebhookConfigurationError(
      typeof event === 'string'
        ? `${unknownNames('event', { [event]: undefined }, [...known.keys()])} Add a schema to events, or use onUnknown, onAny or onError.`
        : `Call on(event, handler) with the name of one event, got ${typeName(event)}.`,
    );
  }
  return handlers;
};

/** Calls all handlers concurrently, and returns the errors of those that failed. */
const callAll = async <Arguments extends readonly unknown[]>(
  handlers: Iterable<(...args: Arguments) => unknown>,
  ...args: Arguments
): Promise<unknown[]> => {
  const failures: unknown[] = [];
  const run = async (handler: (...args: Arguments) => unknown) => {
    try {
      await handler(...args);
    } catch (failure) {
      failures.push(failure);
    }
  };
  await Promise.all([...handlers].map(run));
  return failures;
};

/** Runs the handlers of an event. Resolves to an error if one of them has failed. */
const runHandlers = async (
  handlers: readonly EventHandler<AnyEvent, unknown>[],
  event: AnyEvent,
  context: DeliveryContext<unknown>,
): Promise<WebhookError | undefined> => {
  // In a transaction, handlers run one by one: the client runs one query at a time, and the first failure undoes the rest.
  const groups = context.tx === undefined ? [handlers] : handlers.map((handler) => [handler]);
  let failures: unknown[] = [];
  for (const group of groups) {
    failures = await callAll(group, event, context);
    if (failures.length > 0) {
      break;
    }
  }
  if (failures.length === 0) {
    return undefined;
  }
  const cause = failures.length === 1 ? failures[0] : new AggregateError(failures);
  const which = handlers.length === 1 ? 'The handler' : `${failures.length} of ${handlers.length} handlers`;
  return new WebhookError(
    'HANDLER_FAILED',
    `${which} for ${JSON.stringify(event.event)} failed; see the cause. ${RETRY}`,
    { cause },
  );
};

const CLAIM_STATES: readonly unknown[] = ['claimed', 'running', 'completed'] satisfies ClaimState[];

/** A delivery, which becomes the context of its handlers when `tx` is added. */
type Incoming = HandledDelivery & Omit<DeliveryContext, 'tx'>;

/** The parts that differ between a delivery of a request and a delivery of a queue. */
interface Origin {
  /** Resolves to the key by which `dedupe` recognizes the delivery. */
  readonly key: () => Promise<string | undefined>;
  /** Schedules a report that must not delay the response. */
  readonly afterResponse: (report: () => Promise<void>) => void;
}

/**
 * Runs the handlers of a delivery, unless `dedupe` says that they have run.
 *
 * @throws A {@link WebhookError} when a handler fails (`HANDLER_FAILED`), the handlers are running elsewhere
 * (`STILL_RUNNING`), or `dedupe` fails (`RECEIVER_FAILED`).
 */
export const handleOnce = async (
  all: Handlers,
  event: AnyEvent,
  delivery: Incoming,
  dedupe: Inbox | undefined,
  { key, afterResponse }: Origin,
): Promise<void> => {
  const own = event.known ? (all.known.get(event.event) ?? []) : all.unknown;
  const handlers = [...own, ...all.any] as EventHandler<AnyEvent, unknown>[];
  // Assigned to the delivery itself, because a copy would call the getter of its signal.
  const handle = (tx: unknown) => runHandlers(handlers, event, Object.assign(delivery, { tx }));
  const { state, failure, recorded }: RunResult =
    dedupe === undefined || handlers.length === 0
      ? { state: 'claimed', failure: await handle(undefined) }
      : Object(await runUserCode('dedupe.run()', async () => dedupe.run(await key(), delivery, handle)));
  // A store or an inbox without types may return an invalid state, or another program may have written to Redis.
  if (!CLAIM_STATES.includes(state)) {
    throw new WebhookError(
      'RECEIVER_FAILED',
      `\`dedupe\` must return one of ${CLAIM_STATES.join(', ')}, got ${showValue(state)}. ${RETRY}`,
    );
  }
  if (recorded !== undefined) {
    afterResponse(() => recorded.then((error) => error && reportError(all, error, delivery.headers)));
  }
  if (state === 'running') {
    throw new WebhookError(
      'STILL_RUNNING',
      `This delivery, or one that it must wait for, is still running. ${RETRY}`,
    );
  }
  if (failure !== undefined) {
    throw failure;
  }
};

/**
 * Reports an error to the `onError` handlers. If there are none, a failure of the receiver goes to the console, so that
 * its owner can fix it. A refused delivery does not, because strangers could flood the console.
 */
export const reportError = async (
  { error: handlers }: Handlers,
  error: WebhookError,
  headers: Headers,
): Promise<void> => {
  await callAll(handlers, error, { headers });
  if (handlers.size === 0 && error.status === 500) {
    const { code, message, cause } = error;
    console.error(`@confab/webhooks: ${code}: ${message}`, ...(cause === undefined ? [] : [cause]));
  }
};
