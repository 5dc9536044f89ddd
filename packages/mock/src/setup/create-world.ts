import { demo } from '../data/demo.ts';
import { minimal } from '../data/minimal.ts';
import { isWait, WAIT_WANTED } from '../world/clock/calendar.ts';
import { Era, Eras } from '../world/clock/era.ts';
import { createSystemClock } from '../world/clock/system-clock.ts';
import { createVirtualClock } from '../world/clock/virtual-clock.ts';
import { Faults } from '../world/faults/faults.ts';
import { Keys } from '../world/keys/keys.ts';
import { toRateLimit } from '../world/keys/rate-limit.ts';
import { RequestLog } from '../world/log/log.ts';
import { Random } from '../world/random/random.ts';
import type { Data } from '../world/store/store.ts';
import { Store } from '../world/store/store.ts';
import { Outbox } from '../world/webhooks/outbox.ts';
import type { Latency, Respond, World } from '../world/world.ts';
import type { MockOptions } from './mock-options.ts';

const RATE_LIMIT = 600;

const MAX_LOG_BYTES = 16 * 1024 * 1024;

const repeat: Respond = (agent, userMessage) => `${agent.name} heard: ${userMessage}`;

const toLatency = (latency: Latency): Latency => {
  const { min, max } = typeof latency === 'number' ? { min: latency, max: latency } : latency;
  if (!(isWait(min) && isWait(max) && max >= min)) {
    throw new RangeError(`latency is ${WAIT_WANTED}, or { min, max }; not ${JSON.stringify(latency)}`);
  }
  return latency;
};

const dataOf = (data: 'minimal' | 'demo' | Data, random: Random, now: number): Data => {
  if (data === 'minimal') {
    return minimal;
  }
  return data === 'demo' ? demo(random, now) : data;
};

/** Puts the parts of a world together, with the rows and endpoints that it starts with. */
export const createWorld = (options: MockOptions): World => {
  const {
    seed = 1,
    clock: kind = 'virtual',
    rateLimit = RATE_LIMIT,
    scopes = {},
    data = 'minimal',
    maxLogBytes = MAX_LOG_BYTES,
  } = options;
  if (!Number.isSafeInteger(seed)) {
    throw new RangeError(`seed is a whole number, not ${seed}`);
  }
  if (!(maxLogBytes >= 0)) {
    throw new RangeError(`\`maxLogBytes\` must be a number of bytes from 0 up, got ${maxLogBytes}`);
  }
  const clock = kind === 'virtual' ? createVirtualClock() : createSystemClock();
  const random = new Random(seed);
  const chance = new Random(seed, 'chance');
  const store = new Store({ random, clock, defaultCountry: options.defaultCountry });
  const world: World = {
    random,
    chance,
    clock,
    store,
    keys: new Keys({
      random: new Random(seed, 'keys'),
      limit: toRateLimit(rateLimit),
      scopes: Object.values(scopes),
    }),
    faults: new Faults(chance),
    outbox: new Outbox({ clock, random, events: options.webhooks?.events, maxBytes: maxLogBytes }),
    log: new RequestLog(maxLogBytes),
    eras: new Eras(),
    life: new Era(),
    servers: new Set(),
    scopes,
    latency: toLatency(options.latency ?? 0),
    rateLimitHeaders: typeof rateLimit === 'number' ? 'refused' : (rateLimit.headers ?? 'refused'),
    respond: options.agents?.respond ?? repeat,
    strict: options.strict ?? false,
  };
  store.load(dataOf(data, random, clock.now()));
  for (const endpoint of options.webhooks?.endpoints ?? []) {
    world.outbox.add(endpoint);
  }
  return world;
};
