import type { Attacker } from './actors/attacker.ts';
import type { Budget } from './actors/budget.ts';
import type { ClientActor } from './actors/client.ts';
import type { SharedDedupe } from './actors/dedupe.ts';
import type { Receivers } from './actors/receivers.ts';
import { signatureOf } from './actors/receiving.ts';
import type { Service } from './actors/service.ts';
import { phoneOf } from './actors/service.ts';
import type { Conditions } from './network/conditions.ts';
import type { HookLink } from './network/hook-link.ts';
import { ID_HEADER } from './network/hook-link.ts';
import type { Step } from './scenario/scenario.ts';
import type { Sim } from './sim.ts';

interface World {
  readonly sim: Sim;
  readonly service: Service;
  readonly conditions: Conditions;
  readonly budget: Budget;
  readonly dedupe: SharedDedupe;
  readonly clients: readonly ClientActor[];
  readonly receivers: Receivers;
  readonly link: HookLink;
  /** The secret of the start. */
  readonly secrets: readonly string[];
  readonly attackerOf: (expiredSecret: () => string | undefined) => Attacker;
  /** Called when the store of the fleet fails. */
  readonly breakFleetPromise: () => void;
}

/** Milliseconds after which receivers forget an old secret: longer than the sender repeats a delivery. */
const FORGET_SECRET = 1_200_000;

/** Milliseconds between the deployment of a new secret and its first use. */
const USE_SECRET = 5_000;

/** Phones of leads that the service itself creates. */
const FIRST_PHONE = 2_000_000;

const FIRST_FLOOD = 3_000_000;

/** Rows of one flood: a walk gives up after about 34 pages that begin with the same row. */
const MOST_ROWS = 25;

type Of<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** Creates the function that makes a step happen. */
export const createPerform = (world: World): ((step: Step) => void) => {
  const { sim, service, conditions, budget, dedupe, clients, receivers, link } = world;
  const { mock } = service;
  const { scheme } = sim.scenario.settings.hooks;
  const later = (until: number, run: () => void) => sim.timeline.after(until - sim.elapsed(), 'event', run);

  let secret = world.secrets[0] ?? '';
  let expired: string | undefined;
  let rotations = 0;
  let endpoint = '';
  const addEndpoint = () => {
    endpoint = mock.webhooks.add({
      url: 'https://receiver.test/webhooks',
      secret,
      signature: signatureOf(scheme),
      fetch: (request) => link.fetch(request),
      ...(scheme === 'standard' ? {} : { idHeader: ID_HEADER }),
    });
  };
  addEndpoint();
  const attacker = world.attackerOf(() => expired);

  const rotateSecret = (): void => {
    // One at a time: a second rotation would begin before receivers may forget the first secret.
    if (rotations > 0) {
      return;
    }
    rotations += 1;
    const old = secret;
    secret = 'c2VjcmV0LW51bWJlci0xLW9mLXRoZS1yZWNlaXZlcnM=';
    receivers.deploy([secret, old]);
    sim.timeline.after(USE_SECRET, 'event', () => {
      sim.log('the sender uses the new secret');
      mock.webhooks.remove(endpoint);
      addEndpoint();
    });
    sim.timeline.after(FORGET_SECRET, 'event', () => {
      expired = old;
      receivers.deploy([secret]);
    });
  };

  const crash = ({ who, which, until }: Of<'crash'>): void => {
    if (who !== 'client') {
      later(until, receivers.crash(who, which));
      return;
    }
    const client = clients[which];
    if (client?.alive) {
      client.crash();
      later(until, () => client.start());
    }
  };

  const changeRow = ({ change, pick, id }: Of<'row'>): void => {
    const rows = mock.leads.find();
    const row = rows[Math.floor(pick * rows.length)];
    if (change === 'create') {
      mock.leads.create({ phone: phoneOf(FIRST_PHONE + id) });
    } else if (row !== undefined && change === 'delete') {
      mock.leads.delete(row.id);
    } else if (row !== undefined) {
      mock.leads.update(row.id, { status: 'active' });
    }
  };

  /** Creates one row after the other, as fast as a walk reads them. */
  const flood = (step: Of<'flood'>, created: number): void => {
    if (sim.elapsed() >= step.until || created >= MOST_ROWS) {
      service.onPage = () => {};
      return;
    }
    mock.leads.create({ phone: phoneOf(FIRST_FLOOD + step.id * 1_000 + created) });
    const next = () => flood(step, created + 1);
    if (step.everyMs === 0) {
      service.onPage = next;
    } else {
      sim.timeline.after(step.everyMs, 'event', next);
    }
  };

  const interrupt = ({ store, silent, until }: Of<'store-outage'>): void => {
    if (store === 'budget') {
      world.breakFleetPromise();
    }
    later(until, (store === 'budget' ? budget : dedupe).rpc.interrupt(silent));
  };

  const receiveMessages = ({ count, copies, delayMs, id }: Of<'inbound'>): void => {
    for (let at = 0; at < count; at += 1) {
      mock.webhooks.deliveryFaults.once({ copies, delayMs });
      void mock.inbound({ phone: phoneOf(at), channel: 'whatsapp', body: `Message ${id}.${at}` });
    }
  };

  const redeliver = ({ pick }: Of<'redeliver'>): void => {
    const { deliveries } = mock.webhooks;
    const delivery = deliveries[Math.floor(pick * deliveries.length)];
    if (delivery?.endpointId === endpoint) {
      mock.webhooks.redeliver(delivery.id);
    }
  };

  return (step) => {
    sim.log(`step ${step.id}: ${step.kind}`);
    switch (step.kind) {
      case 'call':
        return clients[step.client]?.call(step);
      case 'weather':
        return void later(step.until, conditions.setWeather(step.link, step.weather));
      case 'partition':
        return void later(step.until, conditions.cut(step.link, step.who));
      case 'api-fault':
      case 'proxy-page':
        return service.plan(step);
      case 'limit':
        return service.changeLimit(step.limit);
      case 'rotate-key':
        return service.rotateKeys();
      case 'rotate-secret':
        return rotateSecret();
      case 'crash':
        return crash(step);
      case 'store-outage':
        return interrupt(step);
      case 'inbound':
        return receiveMessages(step);
      case 'redeliver':
        return redeliver(step);
      case 'row':
        return changeRow(step);
      case 'flood':
        return flood(step, 0);
      case 'attack':
        return attacker.attack(step);
    }
  };
};
