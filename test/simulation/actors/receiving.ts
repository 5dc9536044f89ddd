import type {
  DedupeStore,
  Delivery,
  DeliveryContext,
  Signature,
  Webhooks,
  WebhooksOptions,
} from '@confab/webhooks';
import { createWebhooks, standardWebhooks, timestamped } from '@confab/webhooks';
import type { Machine } from '../clock/machine.ts';
import type { DeliveriesLedger } from '../invariants/deliveries.ts';
import { ID_HEADER } from '../network/hook-link.ts';
import type { HookPlan } from '../settings.ts';
import type { Sim } from '../sim.ts';

/** The number of handlers of each event. They fail independently of each other. */
const HANDLERS = 2;

/** Seconds for which the dedupe store remembers a delivery: longer than the sender retries. */
export const TTL_SECONDS = 1_800;

/** Seconds by which the signed time may be wrong. */
export const TOLERANCE_SECONDS = 300;

/** The scheme of a scenario. */
export const signatureOf = (scheme: HookPlan['scheme']): Signature => {
  switch (scheme) {
    case 'standard':
      return standardWebhooks({ toleranceSeconds: TOLERANCE_SECONDS });
    case 'timestamped':
      return timestamped({ header: 'x-signature', toleranceSeconds: TOLERANCE_SECONDS });
    case 'plain':
      return { header: 'x-signature', encoding: 'hex', prefix: 'sha256=' };
  }
};

/**
 * Creates the receiver of one process.
 *
 * @param enqueue Puts a delivery into the queue. Without it, the receiver runs the handlers itself.
 */
export const createReceiving = (
  sim: Sim,
  ledger: DeliveriesLedger,
  machine: Machine,
  secrets: readonly string[],
  store: DedupeStore,
  enqueue?: (delivery: Delivery) => Promise<void>,
): Webhooks => {
  const { scheme, handlerMs, failing } = sim.settings.hooks;
  const signsId = scheme === 'standard';
  const options: WebhooksOptions = {
    secret: [...secrets],
    signature: signatureOf(scheme),
    now: machine.clock.now,
    dedupe: {
      store,
      ttlSeconds: TTL_SECONDS,
      ...(signsId ? {} : { key: ({ headers }) => headers.get(ID_HEADER) ?? undefined }),
    },
    ...(signsId ? {} : { deliveryHeaders: [ID_HEADER] }),
    ...(enqueue === undefined ? {} : { enqueue }),
  };
  const webhooks = createWebhooks(sim.fault.webhooks?.(options) ?? options);
  webhooks.onError(({ code }) => sim.log(`${machine.name} reports ${code}`));
  if (enqueue !== undefined) {
    return webhooks;
  }

  let runs = 0;
  /** How many handlers of a run have succeeded, by the context that they share. */
  const succeeded = new WeakMap<DeliveryContext, number>();
  for (let handler = 0; handler < HANDLERS; handler += 1) {
    webhooks.onAny(async ({ event, data }, context) => {
      runs += 1;
      const { life } = machine;
      const id = (signsId ? context.id : context.headers.get(ID_HEADER)) ?? 'none';
      const random = sim.random(`handler/${machine.name}/${life}/${runs}`);
      const name = `${machine.name} handler${handler}`;
      sim.log(`${name} handles ${id}`);
      await machine.work(random.integer(0, handlerMs));
      if (!sim.isCalm() && random.chance(failing)) {
        sim.log(`${name} fails with ${id}`);
        throw new Error('The handler failed');
      }
      const done = (succeeded.get(context) ?? 0) + 1;
      succeeded.set(context, done);
      // All handlers run again if one fails, so only a run in which all succeed counts.
      if (done === HANDLERS) {
        ledger.handled({ machine: machine.name, life }, id, JSON.stringify({ event, data }));
      }
    });
  }
  return webhooks;
};
