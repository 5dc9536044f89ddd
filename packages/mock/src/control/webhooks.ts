import { oneOf } from '@confab/internal';
import { checkNames, integerBetween, pluralize, throwIfInvalid } from '../errors/check.ts';
import { orNotFound, Refusal } from '../errors/refusal.ts';
import { slicePage } from '../world/log/query.ts';
import type { Delivery, ScheduledDelivery } from '../world/webhooks/delivery.ts';
import type { Endpoint } from '../world/webhooks/endpoints.ts';
import type { Handlers } from './context.ts';
import { toDeleted } from './context.ts';
import { fromJson } from './read-input.ts';
import type { RouteId } from './routes.ts';

/** Milliseconds of real time that a flush may take: retries on the system clock take minutes. */
const DEFAULT_FLUSH_MS = 10_000;
const MAX_FLUSH_MS = 300_000;

const isFlushTime = integerBetween(1, MAX_FLUSH_MS);

const isState = oneOf('pending', 'delivered', 'failed');

/** Builds the refusal of a flush that took too long. It says how many deliveries are pending, and until when at least. */
const pendingRefusal = (pending: readonly ScheduledDelivery[], now: number, waitedMs: number): Refusal => {
  const count = pluralize(pending.length, 'delivery is', 'deliveries are');
  const next = Math.min(...pending.map(({ dueAt }) => dueAt));
  const progress =
    next > now
      ? `The next attempt is due at ${new Date(next).toISOString()}`
      : 'An attempt is in progress, and its receiver has not responded yet';
  return new Refusal(
    409,
    'DELIVERIES_PENDING',
    `${count} still pending after ${waitedMs} ms. ${progress}. Wait longer with \`timeoutMs\`, or give the endpoints shorter \`retries\`.`,
  );
};

/**
 * Returns a hint with the known events if no delivery has this event. It is not an error, because a caller may poll for an
 * event that follows later.
 */
const eventHint = (event: string, deliveries: readonly Delivery[]): string | undefined => {
  const events = new Set(['message.created', ...deliveries.map((delivery) => delivery.event)]);
  return events.has(event)
    ? undefined
    : `No delivery has the event ${JSON.stringify(event)} yet. Known: ${[...events].join(', ')}.`;
};

/** The handlers of the operations on endpoints, events and deliveries. */
export const webhooks: Handlers<RouteId & `${'webhooks' | 'deliveryFaults' | 'deliveries'}.${string}`> = {
  'webhooks.list': ({ mock }) => ({
    data: mock.webhooks.endpoints.map(({ signature, ...endpoint }) => ({
      ...endpoint,
      // A scheme has functions, which JSON cannot express. Its `source` is the call that made it.
      signature: 'source' in signature ? signature.source : signature,
    })),
  }),
  'webhooks.add': ({ mock }, { body }) => ({ data: { id: mock.webhooks.add(fromJson<Endpoint>(body)) } }),
  'webhooks.remove': ({ mock }, { params: { id } }) =>
    toDeleted(mock.webhooks.remove(id), `No endpoint has the id ${id}`),
  async 'webhooks.emit'({ mock }, { body }) {
    checkNames('field', body, ['event', 'data']);
    const { event, data = {} } = body;
    mock.webhooks.emit(event, data);
  },
  async 'webhooks.flush'({ world }, { query: { timeoutMs = DEFAULT_FLUSH_MS } }) {
    throwIfInvalid(isFlushTime('timeoutMs', timeoutMs));
    const pending = await world.outbox.flushFor(timeoutMs);
    if (world.closeController.signal.aborted) {
      throw new Refusal(
        404,
        'WORLD_NOT_FOUND',
        'The mock was closed, or its world deleted, before all deliveries had ended. The rest were abandoned.',
      );
    }
    if (pending.length > 0) {
      throw pendingRefusal(pending, world.clock.now(), timeoutMs);
    }
  },
  'deliveryFaults.plan': ({ world }, { body: { once = true, ...fault } }) => ({
    data: { id: world.outbox.deliveryFaults.plan(fault, once) },
  }),
  'deliveryFaults.list': ({ mock }) => ({ data: mock.webhooks.deliveryFaults.planned }),
  'deliveryFaults.remove': ({ mock }, { params: { id } }) =>
    toDeleted(
      mock.webhooks.deliveryFaults.remove(id),
      `No planned fault of deliveries has the id ${id}. It may have been used already.`,
    ),
  'deliveryFaults.clear': async ({ mock }) => mock.webhooks.deliveryFaults.clear(),
  'deliveries.list'({ mock }, { query: { event, state, ...slice } }) {
    throwIfInvalid(state === undefined ? undefined : isState('state', state));
    const { deliveries } = mock.webhooks;
    const wanted = deliveries.filter(
      (delivery) =>
        (event === undefined || delivery.event === event) &&
        (state === undefined || delivery.state === state),
    );
    const { data, meta } = slicePage(wanted, slice);
    const hint = event === undefined ? undefined : eventHint(event, deliveries);
    return { data, meta: { ...meta, ...(hint !== undefined && { hint }) } };
  },
  'deliveries.redeliver'({ mock: { webhooks } }, { params: { id } }) {
    const delivery = webhooks.deliveries.find((each) => each.id === id);
    return { data: webhooks.redeliver(orNotFound(delivery, `No delivery has the id ${id}`).id) };
  },
};
