/** One way to do a piece of work. */
export interface Contender {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** How long one contender took. */
export interface Timing {
  readonly name: string;
  /** Median of the milliseconds of one run. */
  readonly ms: number;
  /** Milliseconds of its best round: where waiting is most of the time, whatever else the machine does adds to it. */
  readonly best: number;
  /** Median over the rounds of its time divided by that of each contender in the same round, by name. */
  readonly against: Readonly<Record<string, number>>;
}

interface Effort {
  readonly rounds: number;
  /** Runs of each contender in a round, one after another. */
  readonly runs: number;
  /** Rounds that do not count. */
  readonly warmUp: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const time = async ({ run }: Contender, runs: number): Promise<number> => {
  const start = performance.now();
  for (let count = 0; count < runs; count += 1) await run();
  return (performance.now() - start) / runs;
};

/**
 * Measures contenders in turns, so that what else the machine does meets all of them.
 *
 * Ratios are taken within a round: they stay when the machine slows down, which times do not.
 */
export const measure = async (
  contenders: readonly Contender[],
  { rounds, runs, warmUp }: Effort,
): Promise<Timing[]> => {
  const measured: number[][] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const times: number[] = [];
    for (const contender of contenders) times.push(await time(contender, runs));
    if (round >= 0) measured.push(times);
  }
  return contenders.map(({ name }, index) => ({
    name,
    ms: median(measured.map((times) => times[index] ?? Number.NaN)),
    best: Math.min(...measured.map((times) => times[index] ?? Number.NaN)),
    against: Object.fromEntries(
      contenders.map((other, at) => [
        other.name,
        median(measured.map((times) => (times[index] ?? Number.NaN) / (times[at] ?? Number.NaN))),
      ]),
    ),
  }));
};
