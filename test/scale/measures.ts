import type { Process, Simulation } from './simulate.ts';
import { BUDGET } from './simulate.ts';

/** What a simulation shows. */
export interface Measures {
  /** Requests relative to what the limit allows, from the second window on. */
  readonly use: number;
  /** Requests in the fullest window, relative to the limit. */
  readonly fullest: number;
  /** Jain's index of the shares: 1 when all have the same, 1/n when one has everything. */
  readonly fairness: number;
  /** The share of the process at the first percentile. */
  readonly least: number;
  readonly redisCallsPerRequest: number;
  /** Calls of Redis in its busiest second. */
  readonly peakRedisCalls: number;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Jain's index of fairness. */
export const jain = (values: readonly number[]): number =>
  sum(values) ** 2 / (values.length * sum(values.map((value) => value * value)));

/**
 * What each process can have at most if the same is due to all, and what a process does not want goes to the others
 * (max-min fairness).
 */
export const fairShare = (wanted: readonly number[], total: number): number => {
  let [left, share] = [total, 0];
  const ascending = wanted.toSorted((a, b) => a - b);
  for (const [index, want] of ascending.entries()) {
    share = left / (ascending.length - index);
    if (want > share) {
      return share;
    }
    left -= want;
  }
  return ascending.at(-1) ?? share;
};

/** What each living process got, relative to its fair share, in ascending order. */
export const sharesOf = (processes: readonly Process[]): number[] => {
  const living = processes.filter(({ alive, wanted }) => alive && wanted > 0);
  const total = sum(living.map(({ served }) => served));
  const most = fairShare(
    living.map(({ wanted }) => wanted),
    total,
  );
  return living.map(({ served, wanted }) => served / Math.min(wanted, most)).toSorted((a, b) => a - b);
};

const WINDOW_SECONDS = BUDGET.perMs / 1_000;

/** Sums of all runs of as many seconds as a window has. */
const windowsOf = (perSecond: readonly number[]): number[] =>
  Array.from({ length: perSecond.length - WINDOW_SECONDS + 1 }, (_, start) =>
    sum(perSecond.slice(start, start + WINDOW_SECONDS)),
  );

/** Measures a simulation. */
export const measure = ({ processes, sent, redisCalls }: Simulation): Measures => {
  const shares = sharesOf(processes);
  const after = sent.slice(WINDOW_SECONDS);
  return {
    use: sum(after) / (BUDGET.requests * (after.length / WINDOW_SECONDS)),
    fullest: Math.max(...windowsOf(sent)) / BUDGET.requests,
    fairness: jain(shares),
    least: shares[Math.floor(shares.length / 100)] ?? 0,
    redisCallsPerRequest: sum(redisCalls) / sum(sent),
    peakRedisCalls: Math.max(...redisCalls),
  };
};
