import { createAttacker } from './actors/attacker.ts';
import { createClientActor } from './actors/client.ts';
import { createReceivers } from './actors/receivers.ts';
import { createSender, FIRST_SECRET } from './actors/sender.ts';
import { createService } from './actors/service.ts';
import { createSharedBudget, createSharedDedupe } from './actors/stores.ts';
import { createDeliveriesLedger } from './invariants/deliveries.ts';
import { createConditions } from './network/conditions.ts';
import { createHookLink } from './network/hook-link.ts';
import type { Sim } from './sim.ts';

/** Creates everyone who takes part in a scenario. */
export const createWorld = (sim: Sim) => {
  const conditions = createConditions(sim);
  const service = createService(sim);
  const budget = createSharedBudget(sim);
  const ledger = createDeliveriesLedger(sim);
  const dedupe = createSharedDedupe(sim, ledger);
  const surroundings = { service, conditions, budget };
  const clients = sim.settings.clients.map((plan, who) => createClientActor(sim, surroundings, plan, who));
  const receivers = createReceivers(sim, ledger, dedupe, FIRST_SECRET);
  const link = createHookLink(sim, conditions, receivers, ledger);
  const sender = createSender(sim, service.mock, link, receivers);
  const attacker = createAttacker(sim, link, receivers, sender, ledger);
  return {
    sim,
    service,
    mock: service.mock,
    conditions,
    clients,
    receivers,
    sender,
    attacker,
    ledger,
    stores: { budget, dedupe },
  };
};

export type World = ReturnType<typeof createWorld>;
