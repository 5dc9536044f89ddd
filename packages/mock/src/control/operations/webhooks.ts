import { closestName } from '@confab/internal';
import * as z from 'zod/mini';
import { counted } from '../../errors/check.ts';
import { Refusal } from '../../errors/refusal.ts';
import { slicePage } from '../../world/log/query.ts';
import type { Delivery } from '../../world/webhooks/delivery.ts';
import type { DeliveryFault } from '../../world/webhooks/delivery-faults.ts';
import type { PlannedDelivery } from '../../world/webhooks/retry.ts';
import type { ControlOperation } from '../operation.ts';
import { controlOperation } from '../operation.ts';
import { DELETED, deleted, described, EndpointSchema, existing, moment, PAGE, paging } from '../schemas.ts';

const ListedEndpointSchema = z.strictObject({
  id: z.string(),
  url: z.string(),
  signature: described(z.unknown(), 'The options of the signature, or the name of its scheme.'),
  idHeader: z.optional(z.string()),
  retries: z.array(z.number()),
  timeout: z.nullable(z.number()),
  concurrency: z.int(),
});

const DeliverySchema = z.strictObject({
  id: z.string(),
  endpointId: z.string(),
  url: z.string(),
  messageId: z.string(),
  event: z.string(),
  data: z.unknown(),
  body: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(
    z.strictObject({
      at: moment,
      durationMs: described(z.number(), 'How long it took, on the clock of the mock.'),
      status: z.optional(z.int()),
      signature: described(z.record(z.string(), z.string()), 'The headers that sign it, as they were sent.'),
      error: z.optional(z.string()),
    }),
  ),
});

/** Milliseconds of real time that a flush may take: retries on the system clock take minutes. */
const DEFAULT_FLUSH_MS = 10_000;
const MAX_FLUSH_MS = 300_000;

const FLUSH_LIMITS = `must be milliseconds (from 1 to ${MAX_FLUSH_MS})`;

/** Says how many deliveries have not ended, and when that may change. */
const stillPending = (pending: readonly PlannedDelivery[], now: number, waited: number): Refusal => {
  const count = counted(pending.length, 'delivery is', 'deliveries are');
  const next = Math.min(...pending.map(({ dueAt }) => dueAt));
  const due =
    next > now
      ? `The next attempt is due at ${new Date(next).toISOString()}`
      : 'An attempt is under way, and its receiver has not responded yet';
  return new Refusal(
    409,
    'DELIVERIES_PENDING',
    `${count} still pending after ${waited} ms. ${due}. Wait longer with \`timeoutMs\`, or give the endpoints shorter \`retries\`.`,
  );
};

/**
 * Says which events were delivered, if the one that a query asks for was not. An empty page is no error, because the event
 * may follow later: a caller that polls for it must not be refused.
 */
const eventHint = (event: string, deliveries: readonly Delivery[]): string | undefined => {
  const events = [...new Set(['message.created', ...deliveries.map((delivery) => delivery.event)])];
  if (events.includes(event)) {
    return undefined;
  }
  const meant = closestName(event, events);
  const suggestion = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  return `No delivery has the event ${JSON.stringify(event)} yet.${suggestion} Known: ${events.join(', ')}.`;
};

/** Endpoints, events and their deliveries. */
export const webhooks: readonly ControlOperation[] = [
  controlOperation('webhooks.list', {
    summary: 'Lists the endpoints that events are delivered to, without their secrets.',
    data: z.array(ListedEndpointSchema),
    run: ({ mock }) =>
      mock.webhooks.endpoints.map(({ signature, ...endpoint }) => ({
        ...endpoint,
        // A scheme is code; its `source` says how it was made.
        signature: 'source' in signature ? signature.source : signature,
      })),
  }),
  controlOperation('webhooks.add', {
    summary: 'Adds an endpoint, to which all events from now on are delivered.',
    body: EndpointSchema,
    data: z.strictObject({ id: z.string() }),
    status: 201,
    run: ({ mock }, { body }) => ({ id: mock.webhooks.add(body) }),
  }),
  controlOperation('webhooks.remove', {
    summary: 'Removes an endpoint. Deliveries to it that are under way go on.',
    data: DELETED,
    run: ({ mock }, { params: { id } }) => deleted(mock.webhooks.remove(id), `No endpoint has the id ${id}`),
  }),
  controlOperation('webhooks.emit', {
    summary: 'Delivers an event to every endpoint: for events that no operation emits.',
    body: z.strictObject({ event: z.string(), data: z.optional(z.unknown()) }),
    run: ({ mock }, { body: { event, data = {} } }) => mock.webhooks.emit(event, data),
  }),
  controlOperation('webhooks.flush', {
    summary: 'Responds once every delivery is delivered or has failed, or with 409 if that takes too long.',
    query: z.strictObject({
      timeoutMs: described(
        z.optional(z.int().check(z.minimum(1, FLUSH_LIMITS), z.maximum(MAX_FLUSH_MS, FLUSH_LIMITS))),
        `Milliseconds of real time to wait, up to ${MAX_FLUSH_MS}; ${DEFAULT_FLUSH_MS} by default.`,
      ),
    }),
    refusals: {
      409: 'Deliveries are still pending; `error` says how many, and when the next attempt is due.',
    },
    async run({ world }, { query: { timeoutMs = DEFAULT_FLUSH_MS } }) {
      const pending = await world.outbox.flushFor(timeoutMs);
      if (world.closeController.signal.aborted) {
        throw new Refusal(
          404,
          'WORLD_NOT_FOUND',
          'The mock was closed, or its world deleted, before all deliveries had ended. The rest were abandoned.',
        );
      }
      if (pending.length > 0) {
        throw stillPending(pending, world.clock.now(), timeoutMs);
      }
    },
  }),
  controlOperation('deliveryFaults.plan', {
    summary: 'Plans what goes wrong with the delivery of the next event.',
    body: z.strictObject({
      copies: described(z.optional(z.int()), 'How many times it is delivered to each endpoint; 0 loses it.'),
      delayMs: described(z.optional(z.number()), 'Milliseconds before its first attempt.'),
    }),
    run: ({ mock }, { body }) => mock.webhooks.deliveryFaults.once(body as DeliveryFault),
  }),
  controlOperation('deliveryFaults.clear', {
    summary: 'Removes all planned faults of deliveries.',
    run: ({ mock }) => mock.webhooks.deliveryFaults.clear(),
  }),
  controlOperation('deliveries.list', {
    summary: 'Returns the latest deliveries, oldest first.',
    query: z.strictObject({
      event: z.optional(z.string()),
      state: z.optional(DeliverySchema.shape.state),
      ...paging,
    }),
    data: z.array(DeliverySchema),
    meta: z.extend(PAGE, {
      hint: described(z.optional(z.string()), 'The known events, if no delivery has the event of the query.'),
    }),
    run({ mock }, { query: { event, state, ...slice } }) {
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
  }),
  controlOperation('deliveries.redeliver', {
    summary: 'Delivers the event of a delivery once more, with the same body and signed id.',
    data: DeliverySchema,
    status: 201,
    run({ mock: { webhooks } }, { params: { id } }) {
      const delivery = webhooks.deliveries.find((each) => each.id === id);
      return webhooks.redeliver(existing(delivery, `No delivery has the id ${id}`).id);
    },
  }),
];
