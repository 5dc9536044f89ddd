import { toBehavior } from './behavior.ts';
import type { WorldClock } from './clock/clock.ts';
import { limitToCalendar } from './clock/clock.ts';
import { createSystemClock } from './clock/system-clock.ts';
import { VirtualClock } from './clock/virtual-clock.ts';
import { createDemoData } from './demo-data.ts';
import { planFaults, RequestFaults } from './faults/request-faults.ts';
import { Keys } from './keys/keys.ts';
import { toRateLimit } from './keys/rate-limit-option.ts';
import { RequestLog } from './log/request-log.ts';
import type { MockOptions } from './options.ts';
import { Random } from './store/random.ts';
import type { MockData } from './store/store.ts';
import { createStore } from './store/store.ts';
import { Watchers } from './watchers.ts';
import { Outbox } from './webhooks/outbox.ts';
import type { Respond, World } from './world.ts';

const RATE_LIMIT = 600;

const MAX_LOG_BYTES = 16 * 1024 * 1024;

const repeat: Respond = (agent, userMessage) => `${agent.name} heard: ${userMessage}`;

/** The rows that every operation needs. */
const MINIMAL: MockData = {
  pipelines: [{ name: 'Sales' }],
  agents: [{ name: 'Assistant', description: 'Answers questions', llmModel: 'echo-1' }],
};

const chooseData = (data: 'minimal' | 'demo' | MockData, random: Random, now: number): MockData => {
  if (data === 'minimal') {
    return MINIMAL;
  }
  return data === 'demo' ? createDemoData(random, now) : data;
};

/**
 * Moves a virtual clock past the latest row. Otherwise, new rows would be older than the rows of the data, and every list
 * would return them last.
 */
export const moveClockPastRows = ({ clock, store }: Pick<World, 'clock' | 'store'>): void => {
  let latest = '';
  for (const { table } of [store.leads, store.conversations, store.messages]) {
    for (const { createdAt } of table.all()) {
      latest = createdAt > latest ? createdAt : latest;
    }
  }
  const next = limitToCalendar(Date.parse(latest) + 1);
  if (clock.kind === 'virtual' && next > clock.now()) {
    clock.load(next);
  }
};

/**
 * Creates a world with the rows, faults and endpoints of the options.
 *
 * @param key The key with every scope. By default, it depends on the seed.
 * @param injectedClock Replaces the clock of `options.clock`.
 * @throws A {@link MockError} when a field of `behavior`, a key or an endpoint is invalid.
 */
export const createWorld = (options: MockOptions, key?: string, injectedClock?: WorldClock): World => {
  const {
    seed = 1,
    clock: kind = 'virtual',
    rateLimit = RATE_LIMIT,
    scopes = {},
    data = 'minimal',
    maxLogBytes = MAX_LOG_BYTES,
    latency = 0,
    strict = false,
    agents: { respond } = { respond: repeat },
    webhooks: { endpoints = [], events } = {},
    defaultCountry,
  } = options;
  const behavior = toBehavior(options.behavior);
  const watchers = new Watchers();
  const createClock = () =>
    kind === 'virtual' ? new VirtualClock(() => watchers.clockMoved()) : createSystemClock();
  const clock = injectedClock ?? createClock();
  const random = new Random(seed);
  const networkRandom = new Random(seed, 'network');
  const store = createStore({ random, clock, defaultCountry, source: behavior.source, strict, watchers });
  const log = new RequestLog(maxLogBytes);
  const keys = new Keys({
    random: new Random(seed, 'keys'),
    limit: toRateLimit(rateLimit),
    now: () => clock.now(),
    scopes: Object.values(scopes).filter((scope) => scope !== undefined),
  });
  const world: World = {
    random,
    networkRandom,
    clock,
    store,
    keys,
    apiKey: keys.create({ key }).key,
    adminTokens: new Set(),
    faults: new RequestFaults(networkRandom),
    outbox: new Outbox({
      clock,
      random,
      events,
      maxBytes: maxLogBytes,
      watchers,
    }),
    log,
    resetController: new AbortController(),
    watchers,
    closeController: new AbortController(),
    servers: new Set(),
    // Copied, so that later changes of the caller's objects do not change the mock.
    scopes: { ...scopes },
    behavior,
    latency: typeof latency === 'number' ? latency : { ...latency },
    rateLimitHeaders: typeof rateLimit === 'object' && rateLimit.headers === 'always' ? 'always' : 'refused',
    respond,
    strict,
  };
  const { faults = [], ...rows } = chooseData(data, random, clock.now());
  store.fill(rows);
  if (injectedClock === undefined) {
    moveClockPastRows(world);
  }
  planFaults(world.faults, faults, 'data.faults');
  for (const endpoint of endpoints) {
    world.outbox.add(endpoint);
  }
  return world;
};
