import type { MockClientOptions } from './mock.ts';
import type { Clock } from './world/clock/clock.ts';
import type { World } from './world/world.ts';

/** Longer than any pause or window of a client, in milliseconds. */
const MONTH = 30 * 24 * 60 * 60 * 1000;

/**
 * Creates the clock for the clients of a world. Clients remember times, such as the end of a pause, which mean nothing
 * after the world is restored. So a restore does not set this clock back, but moves it ahead of any such time.
 */
const createClientClock = (world: Pick<World, 'clock' | 'resetController'>): Clock => {
  const { sleep, advance, set } = world.clock;
  let { resetController } = world;
  let latest = world.clock.now();
  let ahead = 0;
  return {
    now() {
      const now = world.clock.now();
      if (resetController !== world.resetController) {
        resetController = world.resetController;
        ahead += latest - now + MONTH;
      }
      latest = now;
      return now + ahead;
    },
    sleep,
    advance,
    set,
  };
};

/** Creates the options that make a client use a mock. */
export const createClientOptions = (
  world: World,
  baseUrl: string,
  fetch: MockClientOptions['fetch'],
): MockClientOptions => ({
  baseUrl,
  get apiKey() {
    return world.apiKey;
  },
  fetch,
  clock: createClientClock(world),
  dangerouslyAllowBrowser: true,
});
