import type { Process, Simulation } from './simulate.ts';
import { LIMIT } from './simulate.ts';

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Computes Jain's index of fairness: 1 if all have the same, 1/n if one has everything. */
export const jain = (values: readonly number[]): number =>
  sum(values) ** 2 / (values.length * sum(values.map((value) => value * value)));

/** Returns the most that each can have if the others get what one does not want (max-min fairness). */
export const fairShare = (wanted: readonly number[], total: number): number => {
  let left = total;
  const ascending = wanted.toSorted((a, b) => a - b);
  for (const [index, want] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (want > share) {
      return share;
    }
    left -= want;
  }
  return ascending.at(-1) ?? 0;
};

/** Returns what each living process got relative to its fair share, in ascending order. */
export const sharesOf = (processes: readonly Process[]): number[] => {
  const living = processes.filter(({ alive, wanted }) => alive && wanted > 0);
  const wants = living.map(({ wanted }) => wanted);
  const most = fairShare(wants, sum(living.map(({ served }) => served)));
  return living.map(({ served, wanted }) => served / Math.min(wanted, most)).toSorted((a, b) => a - b);
};

/** Measures a simulation, by the columns of the page. */
export const measure = ({ processes, sent, redisCalls }: Simulation) => {
  const seconds = LIMIT.perMs / 1_000;
  const shares = sharesOf(processes);
  const windows = sent.slice(seconds - 1).map((_, start) => sum(sent.slice(start, start + seconds)));
  return {
    'use of the limit': sum(sent.slice(seconds)) / ((LIMIT.requests * (sent.length - seconds)) / seconds),
    'fullest window': Math.max(...windows) / LIMIT.requests,
    'Jain’s index': jain(shares),
    'least served 1 %': shares[Math.floor(shares.length / 100)] ?? 0,
    'Redis calls per request': sum(redisCalls) / sum(sent),
    'in the busiest second': Math.max(...redisCalls),
  };
};
