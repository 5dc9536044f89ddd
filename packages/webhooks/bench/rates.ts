import type { Contender } from './contenders.ts';

const ROUNDS = 31;
const CALLS = 4000;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const time = async ({ run }: Contender): Promise<number> => {
  const start = process.hrtime.bigint();
  for (let call = 0; call < CALLS; call += 1) await run();
  return Number(process.hrtime.bigint() - start) / CALLS;
};

/** The rate of one contender. */
export interface Rate {
  readonly name: string;
  readonly perSecond: number;
  /** Median over the rounds of its rate divided by that of each other contender in the same round, by name. */
  readonly against: Readonly<Record<string, number>>;
}

/**
 * Measures contenders in turns, so that what else the machine does meets all of them.
 *
 * Ratios are taken within a round: they stay when the machine slows down, which rates do not.
 */
export const measure = async (contenders: readonly Contender[]): Promise<Rate[]> => {
  const rounds: number[][] = [];
  for (let round = -3; round < ROUNDS; round += 1) {
    const times: number[] = [];
    for (const contender of contenders) times.push(await time(contender));
    // The first rounds warm up.
    if (round >= 0) rounds.push(times);
  }
  return contenders.map(({ name }, index) => ({
    name,
    perSecond: 1e9 / median(rounds.map((times) => times[index] ?? Number.NaN)),
    against: Object.fromEntries(
      contenders.map((other, at) => [
        other.name,
        median(rounds.map((times) => (times[at] ?? Number.NaN) / (times[index] ?? Number.NaN))),
      ]),
    ),
  }));
};
