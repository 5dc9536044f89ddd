import type { Random } from '../support/random.ts';

const HOUR = 3_600_000;

const drawLimit = (random: Random) => ({
  requests: random.integer(2, 25),
  perMs: random.pick([2_000, 10_000, 30_000, 60_000]) as number,
});

/** The rate limit of a key. */
export type Limit = ReturnType<typeof drawLimit>;

/** How a client keeps to the rate limit: as its option `rateLimit` says, or with the other clients of its fleet. */
type Pace = 'learn' | false | 'fleet' | Limit;

const drawPace = (random: Random, limit: Limit): Pace => {
  const kind = random.pick(['learn', 'learn', 'fixed', 'fixed', false]);
  // A client that is alone on its key may use the whole limit.
  return kind === 'fixed' ? (random.chance(0.5) ? limit : drawLimit(random)) : kind;
};

const drawClient = (random: Random, pace: Pace) => ({
  pace,
  concurrency: random.integer(1, 8),
  timeout: random.pick([1_500, 4_000, 10_000, 30_000]),
  totalTimeout: random.pick([20_000, 60_000, 120_000, 4 * HOUR, false]),
  retry: random.chance(0.1)
    ? (false as const)
    : { limit: random.integer(0, 5), maxRetryAfter: random.pick([5_000, 60_000, 3 * HOUR]) },
  /** Milliseconds by which its clock is wrong. */
  skewMs: random.pick([0, 0, -90_000, 45_000, -7_200_000, 7_200_000]),
  /** The probability that its `apiKey` function hangs, and the most milliseconds that it takes, until the calm. */
  keyHangs: random.pick([0, 0, 0, 0.1]),
  keyMs: random.pick([0, 0, 0, 100, 3_000]),
});

export type ClientPlan = ReturnType<typeof drawClient>;

const drawHooks = (random: Random) => ({
  scheme: random.pick(['standard', 'standard', 'timestamped', 'plain']),
  /** Whether receivers run the handlers, or put deliveries into a queue for workers. */
  mode: random.pick(['handlers', 'handlers', 'queue']),
  receivers: random.integer(1, 3),
  skewMs: random.pick([0, 0, -60_000, 60_000]),
  /** The most milliseconds that a handler takes, and the probability that it fails, until the calm. */
  handlerMs: random.pick([0, 50, 2_000, 9_000]),
  failing: random.pick([0, 0, 0.3]),
  /** The most milliseconds that a message to the dedupe store takes. */
  storeMs: random.pick([0, 2, 100, 400]),
});

/** Draws what stays the same throughout a run. */
export const drawSettings = (random: Random) => {
  const limit = drawLimit(random);
  const fleet = random.chance(0.4) ? random.integer(2, 3) : 0;
  const alone = random.integer(fleet === 0 ? 1 : 0, 2);
  const paces = [
    ...Array.from({ length: alone }, () => drawPace(random, limit)),
    ...Array.from({ length: fleet }, () => 'fleet' as const),
  ];
  return {
    limit,
    /** Which responses carry the rate-limit headers. */
    limitHeaders: random.pick(['always', 'refused']),
    leads: random.pick([0, 6, 20, 45]),
    /** The most milliseconds that the service takes, and a message in calm weather. */
    serviceMs: random.pick([0, 20, 800]),
    networkMs: random.pick([0, 10, 60, 400]),
    clients: paces.map((pace) => drawClient(random, pace)),
    fleet: { ...limit, onStoreError: random.pick(['local', 'throw']) },
    hooks: drawHooks(random),
  };
};

export type Settings = ReturnType<typeof drawSettings>;
export type HookPlan = Settings['hooks'];
