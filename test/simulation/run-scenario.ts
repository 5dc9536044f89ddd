import './clock/globals.ts';

import { createHash } from 'node:crypto';
import { untilQuiet, useSource } from './clock/globals.ts';
import type { Fault } from './faults.ts';
import { openText } from './open-work.ts';
import type { Scenario } from './scenario.ts';
import { createSim } from './sim.ts';
import type { World } from './world.ts';
import { createWorld } from './world.ts';

/** No run that ends has more events. */
const MAX_EVENTS = 100_000;

/** Describes what has begun and has not ended. */
const openWork = ({ clients, receivers, service, mock }: World): string =>
  openText({
    calls: clients.flatMap(({ name, open }) => [...open].map((step) => `${name}.${step}`)),
    'requests to the service': service.handling,
    deliveries: mock.webhooks.deliveries.filter(({ state }) => state === 'pending').length,
    'requests to receivers': receivers.busy,
    jobs: receivers.jobs,
  });

/** Whether something is still to come. */
const isBusy = (world: World): boolean => world.sim.timeline.waiting('event') > 0 || openWork(world) !== '';

/** Runs one event after the other, until none is left or an invariant breaks. */
const play = async (world: World): Promise<void> => {
  const { sim, clients, ledger } = world;
  await untilQuiet();
  while (isBusy(world) && sim.violation === undefined && sim.timeline.step()) {
    await untilQuiet();
    for (const client of clients) {
      client.checkIdle();
    }
    if (sim.timeline.fired > MAX_EVENTS) {
      sim.fail('settled', `The run has not ended after ${MAX_EVENTS} events`);
    }
  }
  if (isBusy(world)) {
    sim.fail('settled', `No event is left, but some work is open: ${openWork(world)}`);
  }
  ledger.checkAll();
};

/** Runs a scenario to its end, or to the first violation. */
export const runScenario = async ({ seed, settings, steps }: Scenario, fault?: Fault) => {
  const sim = createSim(seed, settings, fault);
  const { timeline, trace } = sim;
  useSource({ timeline, random: sim.random('platform') });
  const onUnhandled = (reason: unknown) =>
    sim.fail('expected', `A rejection was not handled: ${String(reason)}`);
  process.on('unhandledRejection', onUnhandled);
  try {
    const world = createWorld(sim);
    for (const { id, kind, at, run } of steps) {
      sim.at(at, () => {
        sim.log(`step ${id}: ${kind}`);
        run(world, id);
      });
    }
    await play(world);
    await world.mock.close();
    await untilQuiet();
    if (timeline.waiting('timer') > 0) {
      sim.fail('settled', `Left at the end: ${openText({ timers: timeline.waiting('timer') })}`);
    }
  } finally {
    useSource(undefined);
    process.off('unhandledRejection', onUnhandled);
  }
  /** The SHA-256 of what happened. */
  const digest = createHash('sha256').update(trace.join('\n')).digest('hex');
  return { violation: sim.violation, trace, digest, events: timeline.fired };
};
