import type { Attacker } from './actors/attacker.ts';
import type { ClientActor } from './actors/client.ts';
import type { SharedDedupe } from './actors/dedupe.ts';
import type { Receivers } from './actors/receivers.ts';
import type { Sender } from './actors/sender.ts';
import type { Service } from './actors/service.ts';
import { phoneOf } from './actors/service.ts';
import type { SharedBudget } from './actors/shared-budget.ts';
import type { Conditions } from './network/conditions.ts';
import type { Step } from './scenario/scenario.ts';
import type { Sim } from './sim.ts';

interface World {
  readonly sim: Sim;
  readonly service: Service;
  readonly conditions: Conditions;
  readonly budget: SharedBudget;
  readonly dedupe: SharedDedupe;
  readonly clients: readonly ClientActor[];
  readonly receivers: Receivers;
  readonly sender: Sender;
  readonly attacker: Attacker;
  /** Called when the store of the fleet fails. */
  readonly breakFleetPromise: () => void;
}

/** Phones of leads that the service itself creates. */
const FIRST_PHONE = 2_000_000;

const FIRST_FLOOD = 3_000_000;

/** Rows of one flood: a walk gives up after about 34 pages that begin with the same row. */
const MOST_ROWS = 25;

type Of<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>;

/** Creates the function that makes a step happen. */
export const createPerform = (world: World): ((step: Step) => void) => {
  const { sim, service, conditions, budget, dedupe, clients, receivers, sender, attacker } = world;
  const { mock } = service;
  const later = (until: number, run: () => void) => sim.timeline.after(until - sim.elapsed(), 'event', run);

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
    } else if (change === 'append') {
      mock.leads.create({
        phone: phoneOf(FIRST_PHONE + id),
        createdAt: new Date(Date.UTC(2025, 0, 1) - id).toISOString(),
      });
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
        return sender.rotateSecret();
      case 'crash':
        return crash(step);
      case 'store-outage':
        return interrupt(step);
      case 'inbound':
        return receiveMessages(step);
      case 'redeliver':
        return sender.redeliver(step.pick);
      case 'row':
        return changeRow(step);
      case 'flood':
        return flood(step, 0);
      case 'attack':
        return attacker.attack(step);
    }
  };
};
