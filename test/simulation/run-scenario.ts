import { createHash } from 'node:crypto';
import { createAttacker } from './actors/attacker.ts';
import { createClientActor } from './actors/client.ts';
import { createSharedDedupe } from './actors/dedupe.ts';
import { createReceivers } from './actors/receivers.ts';
import { createSender, FIRST_SECRET } from './actors/sender.ts';
import { createService } from './actors/service.ts';
import { createSharedBudget } from './actors/shared-budget.ts';
import { untilQuiet, useSource } from './clock/globals.ts';
import { createWindow } from './invariants/calls.ts';
import { createDeliveriesLedger } from './invariants/deliveries.ts';
import { createConditions } from './network/conditions.ts';
import { createHookLink } from './network/hook-link.ts';
import type { Work } from './open-work.ts';
import { openText } from './open-work.ts';
import { createPerform } from './perform.ts';
import type { Scenario } from './scenario/scenario.ts';
import type { Sim, Violation } from './sim.ts';
import { createSim } from './sim.ts';

/** The result of a run. */
export interface RunResult {
  readonly violation: Violation | undefined;
  /** What happened, one line for each event. */
  readonly trace: readonly string[];
  /** The SHA-256 of the trace. */
  readonly digest: string;
  /** The number of events that fired. */
  readonly events: number;
}

/** Events after which a run certainly does not end. */
const MOST_EVENTS = 100_000;

/** Builds the world of a scenario. */
const build = (sim: Sim) => {
  const { settings } = sim.scenario;
  const conditions = createConditions(sim);
  const service = createService(sim);
  const budget = createSharedBudget(sim, settings.fleet);
  const ledger = createDeliveriesLedger(sim);
  const dedupe = createSharedDedupe(sim, ledger);
  let promised = true;
  const fleet = {
    window: createWindow(() => sim.timeline.now()),
    // While the store fails, each process keeps to the whole limit on its own.
    allowed: () => (promised ? settings.fleet.requests : undefined),
    perMs: settings.fleet.perMs,
  };
  const context = { sim, service, conditions, budget, fleet };
  const clients = settings.clients.map((plan, who) => createClientActor(context, plan, who));
  const receivers = createReceivers(sim, ledger, dedupe, [FIRST_SECRET]);
  const link = createHookLink(sim, conditions, receivers, ledger);
  const sender = createSender(sim, service.mock, link, receivers);
  const perform = createPerform({
    sim,
    service,
    conditions,
    budget,
    dedupe,
    clients,
    receivers,
    sender,
    attacker: createAttacker(sim, link, receivers, ledger, () => sender.expiredSecret),
    breakFleetPromise: () => {
      promised = settings.fleet.onStoreError === 'throw';
    },
  });
  return { service, clients, receivers, ledger, perform };
};

type Built = ReturnType<typeof build>;

/** What has begun and has not ended. */
const openWork = ({ clients, receivers, service }: Built): readonly Work[] => [
  {
    count: clients.reduce((sum, { open }) => sum + open.size, 0),
    one: 'call',
    more: 'calls',
    names: () => clients.flatMap(({ name, open }) => [...open].map((step) => `${name}.${step}`)),
  },
  { count: service.handling, one: 'request to the service', more: 'requests to the service' },
  {
    count: service.mock.webhooks.deliveries.filter(({ state }) => state === 'pending').length,
    one: 'delivery',
    more: 'deliveries',
  },
  { count: receivers.busy, one: 'request to a receiver', more: 'requests to receivers' },
  { count: receivers.jobs, one: 'job', more: 'jobs' },
];

/** Whether something is still to come. */
const isBusy = (sim: Sim, built: Built): boolean =>
  sim.timeline.waiting('event') > 0 || openWork(built).some(({ count }) => count > 0);

/** What the last moment of a run must be like. */
const checkEnd = async (sim: Sim, built: Built): Promise<void> => {
  const { service, ledger } = built;
  if (isBusy(sim, built)) {
    sim.fail('settled', `Nothing is left to happen, but some work is open: ${openText(openWork(built))}`);
  }
  ledger.checkAll();
  await service.mock.close();
  await untilQuiet();
  if (sim.timeline.waiting('timer') > 0) {
    const left = openText([{ count: sim.timeline.waiting('timer'), one: 'timer', more: 'timers' }]);
    sim.fail('settled', `Left at the end: ${left}`);
  }
};

/** Runs a scenario to its end, or to the first violation. */
export const runScenario = async (scenario: Scenario): Promise<RunResult> => {
  const sim = createSim(scenario);
  useSource({ timeline: sim.timeline, random: sim.random('platform') });
  const onUnhandled = (reason: unknown) =>
    sim.fail('expected', `A rejection was not handled: ${String(reason)}`);
  process.on('unhandledRejection', onUnhandled);
  try {
    const built = build(sim);
    for (const step of scenario.steps) {
      sim.timeline.after(step.at, 'event', () => built.perform(step));
    }
    await untilQuiet();
    while (isBusy(sim, built) && sim.violation === undefined && sim.timeline.step()) {
      await untilQuiet();
      for (const client of built.clients) {
        client.checkIdle();
      }
      if (sim.timeline.fired > MOST_EVENTS) {
        sim.fail('settled', `The run has not ended after ${MOST_EVENTS} events`);
      }
    }
    if (sim.violation === undefined) {
      await checkEnd(sim, built);
    } else {
      await built.service.mock.close();
    }
  } finally {
    useSource(undefined);
    process.off('unhandledRejection', onUnhandled);
  }
  const { violation, trace } = sim;
  const digest = createHash('sha256').update(trace.join('\n')).digest('hex');
  return { violation, trace, digest, events: sim.timeline.fired };
};
