import { checkWait, checkWhole } from '../checks/check-number.ts';
import { shown } from '../checks/shown.ts';
import { demo } from '../data/demo.ts';
import { minimal } from '../data/minimal.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';
import { toBehavior } from '../world/behavior.ts';
import type { WorldClock } from '../world/clock/clock.ts';
import { Era, Eras } from '../world/clock/era.ts';
import { createSystemClock } from '../world/clock/system-clock.ts';
import { createVirtualClock } from '../world/clock/virtual-clock.ts';
import { Faults } from '../world/faults/faults.ts';
import { Keys } from '../world/keys/keys.ts';
import { toRateLimit } from '../world/keys/rate-limit.ts';
import { RequestLog } from '../world/log/log.ts';
import { Random } from '../world/random/random.ts';
import { Secrets } from '../world/secrets.ts';
import type { CountryCode } from '../world/store/country-code.ts';
import type { MockData } from '../world/store/store.ts';
import { Store } from '../world/store/store.ts';
import { Watchers } from '../world/watchers.ts';
import { Outbox } from '../world/webhooks/outbox.ts';
import type { Latency, Respond, World } from '../world/world.ts';
import type { MockOptions } from './mock-options.ts';

const RATE_LIMIT = 600;

const MAX_LOG_BYTES = 16 * 1024 * 1024;

const repeat: Respond = (agent, userMessage) => `${agent.name} heard: ${userMessage}`;

const toLatency = (latency: Latency): Latency => {
  const { min, max } = typeof latency === 'number' ? { min: latency, max: latency } : latency;
  checkWait(typeof latency === 'number' ? '`latency`' : '`latency.min`', min);
  checkWait('`latency.max`', max);
  if (max < min) {
    throw invalidArgument(`\`latency.max\` must be at least \`latency.min\`, got ${JSON.stringify(latency)}`);
  }
  return latency;
};

const dataOf = (data: 'minimal' | 'demo' | MockData, random: Random, now: number): MockData => {
  if (data === 'minimal') {
    return minimal;
  }
  return data === 'demo' ? demo(random, now) : data;
};

/**
 * Creates a world with the rows and endpoints of the options.
 *
 * @param injectedClock Replaces the clock of `options.clock`.
 * @throws {@link MockError} When an option is invalid.
 */
export const createWorld = (options: MockOptions, injectedClock?: WorldClock): World => {
  const {
    seed = 1,
    clock: kind = 'virtual',
    rateLimit = RATE_LIMIT,
    scopes = {},
    data = 'minimal',
    maxLogBytes = MAX_LOG_BYTES,
  } = options;
  checkWhole('`seed`', seed, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  if (!(typeof maxLogBytes === 'number' && maxLogBytes >= 0)) {
    throw invalidArgument(`\`maxLogBytes\` must be a number of bytes (0 or more), got ${shown(maxLogBytes)}`);
  }
  const behavior = toBehavior(options.behavior);
  const watchers = new Watchers();
  const ownClock = () =>
    kind === 'virtual' ? createVirtualClock(() => watchers.clockMoved()) : createSystemClock();
  const clock = injectedClock ?? ownClock();
  const random = new Random(seed);
  const chance = new Random(seed, 'chance');
  const store = new Store({
    random,
    clock,
    defaultCountry: options.defaultCountry as CountryCode | undefined,
    source: behavior.source,
    strict: options.strict,
    onChange: (collection, id) => watchers.rowChanged(collection, id),
  });
  const log = new RequestLog(maxLogBytes);
  log.subscribe((entry) => watchers.happened('request', entry));
  const keys = new Keys({
    random: new Random(seed, 'keys'),
    limit: toRateLimit(rateLimit),
    now: () => clock.now(),
    scopes: Object.values(scopes),
  });
  const world: World = {
    random,
    chance,
    clock,
    store,
    keys,
    secrets: new Secrets(keys),
    faults: new Faults(chance),
    outbox: new Outbox({
      clock,
      random,
      events: options.webhooks?.events,
      maxBytes: maxLogBytes,
      onChange: (delivery) => watchers.happened('delivery', delivery),
    }),
    log,
    eras: new Eras(),
    watchers,
    life: new Era(),
    servers: new Set(),
    scopes,
    behavior,
    latency: toLatency(options.latency ?? 0),
    rateLimitHeaders: typeof rateLimit === 'object' && rateLimit.headers === 'always' ? 'always' : 'refused',
    respond: options.agents?.respond ?? repeat,
    strict: options.strict ?? false,
  };
  store.load(dataOf(data, random, clock.now()));
  for (const endpoint of options.webhooks?.endpoints ?? []) {
    world.outbox.add(endpoint);
  }
  return world;
};
