import type { Random } from '../clock/random.ts';
import type { Attack, CallPlan, Link, Settings, Step, Weather } from './scenario.ts';
import { CALM_FROM } from './scenario.ts';

/** A step without its id, which the place in the sorted list decides. */
type Draft = Step extends infer Each ? (Each extends Step ? Omit<Each, 'id'> : never) : never;

const ATTACKS: readonly Attack[] = [
  'forge',
  'old-secret',
  'flip-bit',
  'mix',
  'truncate',
  'replay',
  'replay-late',
  'change-time',
  'take-id',
];

/** Milliseconds of the interval in which calls start. */
const BUSY_FOR = 90_000;

const many = (count: number, make: () => Draft): Draft[] => Array.from({ length: count }, make);

/** A moment, and a later one before the calm. */
const interval = (random: Random, longest: number): { readonly at: number; readonly until: number } => {
  const at = random.whole(0, BUSY_FOR);
  return { at, until: Math.min(CALM_FROM, at + random.whole(500, longest)) };
};

const drawCall = (random: Random): CallPlan => {
  const pick = random.next();
  const op = random.pick([
    'create',
    'create',
    'send',
    'invoke',
    'ensure',
    'get',
    'update',
    'all',
    'job',
  ] as const);
  switch (op) {
    case 'all':
      return {
        op,
        offset: random.pick([0, 0, random.whole(1, 15)]),
        limit: random.whole(2, 9),
        concurrency: random.whole(1, 5),
        onlyNew: random.chance(0.5),
      };
    case 'job':
      return { op, limit: random.whole(3, 9) };
    case 'create':
    case 'send':
    case 'invoke':
      return { op, pick, repeat: random.chance(0.1) };
    default:
      return { op, pick };
  }
};

const drawWeather = (random: Random): Weather => {
  const rate = () => (random.chance(0.4) ? random.pick([0.05, 0.2, 0.5]) : 0);
  return {
    loss: rate(),
    reset: rate(),
    duplicate: rate(),
    truncate: rate(),
    stall: rate(),
    split: rate(),
    delayMs: random.pick([0, 300, 3_000, 12_000]),
  };
};

/** Calls come in bursts, because only those queue. */
const drawBurst = (random: Random, { clients }: Settings): Draft[] => {
  const at = random.whole(0, BUSY_FOR);
  const client = random.whole(0, clients.length - 1);
  const alike = random.chance(0.4) ? drawCall(random) : undefined;
  return many(random.pick([1, 1, 3, 12]), () => ({
    kind: 'call',
    at: at + random.pick([0, 0, 5, 300]),
    client,
    call:
      alike === undefined
        ? drawCall(random)
        : { ...alike, ...('pick' in alike ? { pick: random.next() } : {}) },
    ...(random.chance(0.1) ? { timeout: random.pick([800, 60_000]) } : {}),
    ...(random.chance(0.08) ? { abortAfter: random.whole(0, 20_000) } : {}),
  }));
};

const drawApiTrouble = (random: Random, { limit }: Settings): Draft[] => [
  ...many(random.pick([0, 0, 2, 5]), () => ({
    kind: 'api-fault',
    at: random.whole(0, BUSY_FOR),
    status: random.pick([429, 429, 503, 503, 500, 408]),
    form: random.pick(['none', 'seconds', 'fraction', 'date', 'two', 'two-dates'] as const),
    afterSeconds: random.pick([1, 4, 20, 90, 5_400]),
    dates: random.pick(['imf', 'rfc850', 'asctime'] as const),
    longestFirst: random.chance(0.5),
  })),
  ...many(random.pick([0, 0, 2]), () => ({
    kind: 'proxy-page',
    at: random.whole(0, BUSY_FOR),
    limit: random.pick([1, 1_000]),
  })),
  ...many(random.pick([0, 0, 1, 3]), () => ({
    kind: 'limit',
    at: random.whole(0, BUSY_FOR),
    limit: { requests: random.whole(2, 25), perMs: limit.perMs },
  })),
  ...many(random.pick([0, 0, 1]), () => ({ kind: 'rotate-key', at: random.whole(0, BUSY_FOR) })),
];

/** Rows that are created while a client walks through the list in small pages. */
const drawFlood = (random: Random, clients: number): Draft[] => {
  const { at, until } = interval(random, 60_000);
  const limit = random.whole(2, 5);
  return [
    { kind: 'flood', at, until, everyMs: random.pick([0, 0, 40, 300]) },
    {
      kind: 'call',
      at,
      client: random.whole(0, clients - 1),
      call: { op: 'all', offset: 0, limit, concurrency: random.whole(1, 2), onlyNew: random.chance(0.5) },
    },
  ];
};

/**
 * A walk that starts at an offset, while rows before its start are deleted at once and as many are added behind it. They
 * are no more than a page has, because the walk finds its place again by the rows that it has returned.
 */
const drawShift = (random: Random, { leads, clients }: Settings): Draft[] => {
  const at = random.whole(0, BUSY_FOR);
  const [offset, limit] = [random.whole(8, 16), random.whole(4, 8)];
  const changesAt = at + random.whole(0, 3_000);
  const change = (what: 'delete' | 'append') => () => ({
    kind: 'row' as const,
    at: changesAt + random.whole(0, 100),
    change: what,
    pick: (random.next() * (offset - limit)) / leads,
  });
  return [
    {
      kind: 'call',
      at,
      client: random.whole(0, clients.length - 1),
      call: { op: 'all', offset, limit, concurrency: random.whole(1, 2), onlyNew: false },
    },
    ...many(limit, change('delete')),
    ...many(random.pick([0, limit]), change('append')),
  ];
};

/** The rows that a list needs for a walk which starts within it. */
const ROWS_TO_SHIFT = 40;

const drawRows = (random: Random, settings: Settings): Draft[] => [
  ...many(settings.leads === 0 ? 0 : random.pick([0, 5, 30]), () => ({
    kind: 'row',
    at: random.whole(0, BUSY_FOR + 20_000),
    change: random.pick(['create', 'delete', 'activate'] as const),
    pick: random.next(),
  })),
  ...(random.chance(0.25) ? drawFlood(random, settings.clients.length) : []),
  ...(settings.leads >= ROWS_TO_SHIFT && random.chance(0.5) ? drawShift(random, settings) : []),
];

const drawDeliveries = (random: Random): Draft[] => [
  ...many(random.whole(0, 6), () => ({
    kind: 'inbound',
    at: random.whole(0, BUSY_FOR),
    count: random.pick([1, 1, 4]),
    copies: random.pick([1, 1, 2]),
    delayMs: random.pick([0, 0, 5_000]),
  })),
  ...many(random.pick([0, 0, 2]), () => ({
    kind: 'redeliver',
    at: random.whole(0, BUSY_FOR),
    pick: random.next(),
  })),
  ...many(random.pick([0, 2, 6]), () => ({
    kind: 'attack',
    at: random.whole(0, CALM_FROM),
    attack: random.pick(ATTACKS),
    pick: random.next(),
  })),
  ...many(random.pick([0, 0, 0, 1]), () => ({ kind: 'rotate-secret', at: random.whole(0, BUSY_FOR) })),
];

const drawNetwork = (random: Random, { clients, hooks }: Settings): Draft[] => {
  const link = (): Link => random.pick(['api', 'hook']);
  return [
    ...many(random.pick([0, 1, 3]), () => ({
      kind: 'weather',
      ...interval(random, 60_000),
      link: link(),
      weather: drawWeather(random),
    })),
    ...many(random.pick([0, 0, 2]), () => ({
      kind: 'partition',
      ...interval(random, 15_000),
      link: link(),
      who: random.whole(0, Math.max(clients.length, hooks.receivers) - 1),
    })),
    ...many(random.pick([0, 0, 2]), () => ({
      kind: 'store-outage',
      ...interval(random, 12_000),
      store: random.pick(['budget', 'dedupe'] as const),
      silent: random.chance(0.5),
    })),
    ...many(random.pick([0, 0, 1, 3]), () => ({
      kind: 'crash',
      ...interval(random, 20_000),
      who: random.pick(['client', 'receiver', 'receiver', 'worker'] as const),
      which: random.whole(0, 2),
    })),
  ];
};

/** Draws what happens in a run, in the order of time. */
export const drawSteps = (random: Random, settings: Settings): Step[] => {
  const drafts = [
    ...Array.from({ length: random.whole(2, 7) }, () => drawBurst(random, settings)).flat(),
    ...drawApiTrouble(random, settings),
    ...drawRows(random, settings),
    ...drawDeliveries(random),
    ...drawNetwork(random, settings),
  ];
  return drafts.toSorted((one, other) => one.at - other.at).map((draft, id) => ({ ...draft, id }) as Step);
};
