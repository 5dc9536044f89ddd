import { drawCall } from '../actors/calls.ts';
import type { PlannedCall } from '../actors/client.ts';
import type { Random } from '../clock/random.ts';
import type { Settings } from '../settings.ts';
import type { Step } from './step.ts';
import { many, moment } from './step.ts';

/** A step in which a client makes a call. */
export const callStep = (at: number, client: number, call: PlannedCall): Step => ({
  kind: 'call',
  at,
  run: ({ clients }, id) => clients[client]?.call(id, call),
});

/** Draws calls in a burst, because only those queue. */
export const drawBurst = (random: Random, { clients }: Settings): Step[] => {
  const start = moment(random);
  const client = random.integer(0, clients.length - 1);
  const alike = random.chance(0.4) ? drawCall(random) : undefined;
  return many(random.pick([1, 1, 3, 12]), () => {
    const at = start + random.pick([0, 0, 5, 300]);
    const plan = alike === undefined ? drawCall(random) : { ...alike, pick: random.next() };
    return callStep(at, client, {
      plan,
      timeout: random.chance(0.1) ? random.pick([800, 60_000]) : undefined,
      abortAfter: random.chance(0.08) ? random.integer(0, 20_000) : undefined,
    });
  });
};
