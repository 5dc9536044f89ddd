import type { Random } from '../clock/random.ts';
import type { ClientPlan, HookPlan, Limit, Pace, Settings } from './scenario.ts';

const HOUR = 3_600_000;

const drawLimit = (random: Random): Limit => ({
  requests: random.whole(2, 25),
  perMs: random.pick([2_000, 10_000, 30_000, 60_000]),
});

const drawPace = (random: Random, limit: Limit): Pace => {
  const kind = random.pick(['learn', 'learn', 'fixed', 'fixed', 'none'] as const);
  // A client that is alone on its key may use the whole limit.
  return kind === 'fixed' ? { kind, ...(random.chance(0.5) ? limit : drawLimit(random)) } : { kind };
};

const drawClient = (random: Random, pace: Pace): ClientPlan => ({
  pace,
  concurrency: random.whole(1, 8),
  timeout: random.pick([1_500, 4_000, 10_000, 30_000]),
  deadline: random.pick([20_000, 60_000, 120_000, 4 * HOUR, false]),
  retry: random.chance(0.1)
    ? false
    : { limit: random.whole(0, 5), maxRetryAfter: random.pick([5_000, 60_000, 3 * HOUR]) },
  skewMs: random.pick([0, 0, -90_000, 45_000, -7_200_000, 7_200_000]),
  keyHangs: random.pick([0, 0, 0, 0.1]),
  keyMs: random.pick([0, 0, 0, 100, 3_000]),
});

const drawHooks = (random: Random): HookPlan => ({
  scheme: random.pick(['standard', 'standard', 'timestamped', 'plain'] as const),
  mode: random.pick(['handlers', 'handlers', 'queue'] as const),
  receivers: random.whole(1, 3),
  skewMs: random.pick([0, 0, -60_000, 60_000]),
  handlerMs: random.pick([0, 50, 2_000, 9_000]),
  failing: random.pick([0, 0, 0.3]),
  storeMs: random.pick([0, 2, 100, 400]),
});

/** Draws what stays the same throughout a run. */
export const drawSettings = (random: Random): Settings => {
  const limit = drawLimit(random);
  const fleet = random.chance(0.4) ? random.whole(2, 3) : 0;
  const alone = random.whole(fleet === 0 ? 1 : 0, 2);
  const paces: Pace[] = [
    ...Array.from({ length: alone }, () => drawPace(random, limit)),
    ...Array.from({ length: fleet }, () => ({ kind: 'fleet' }) as const),
  ];
  return {
    limit,
    limitHeaders: random.pick(['always', 'refused'] as const),
    leads: random.pick([0, 6, 20, 45]),
    serviceMs: random.pick([0, 20, 800]),
    networkMs: random.pick([0, 10, 60, 400]),
    clients: paces.map((pace) => drawClient(random, pace)),
    fleet: { ...limit, onStoreError: random.pick(['local', 'throw'] as const) },
    hooks: drawHooks(random),
  };
};
