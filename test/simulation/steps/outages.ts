import type { Random } from '../clock/random.ts';
import type { Link } from '../network/conditions.ts';
import { drawWeather } from '../network/conditions.ts';
import type { Settings } from '../settings.ts';
import type { Step } from './step.ts';
import { interval, many } from './step.ts';

/** Draws what fails between the processes, and crashes of them. */
export const drawOutages = (random: Random, { clients, hooks }: Settings): Step[] => {
  const drawLink = (): Link => random.pick(['api', 'hook']);
  return [
    ...many(random.pick([0, 1, 3]), () => {
      const { at, until } = interval(random, 60_000);
      const [link, weather] = [drawLink(), drawWeather(random)];
      return { kind: 'weather', at, run: ({ conditions }) => conditions.setWeather(link, weather, until) };
    }),
    ...many(random.pick([0, 0, 2]), () => {
      const { at, until } = interval(random, 15_000);
      const link = drawLink();
      const who = random.integer(0, Math.max(clients.length, hooks.receivers) - 1);
      return { kind: 'partition', at, run: ({ conditions }) => conditions.cut(link, who, until) };
    }),
    ...many(random.pick([0, 0, 2]), () => {
      const { at, until } = interval(random, 12_000);
      const store = random.pick(['budget', 'dedupe']);
      const silent = random.chance(0.5);
      return { kind: 'store-outage', at, run: ({ stores }) => stores[store].interrupt(silent, until) };
    }),
    ...many(random.pick([0, 0, 1, 3]), () => {
      const { at, until } = interval(random, 20_000);
      const who = random.pick(['client', 'receiver', 'receiver', 'worker']);
      const which = random.integer(0, 2);
      return {
        kind: 'crash',
        at,
        run: (world) =>
          who === 'client' ? world.clients[which]?.crash(until) : world.receivers.crash(who, which, until),
      };
    }),
  ];
};
