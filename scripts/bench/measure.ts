/** One way to do the work. */
export interface Contender {
  readonly name: string;
  /** May return a promise. */
  readonly run: () => unknown;
}

/** How long one contender took. */
export interface Timing {
  readonly name: string;
  /** The median of the milliseconds of a run. */
  readonly ms: number;
  /** The milliseconds of a run in the best round. For work that mostly waits, other load on the machine only adds to them. */
  readonly best: number;
  /** The median over the rounds of its time divided by that of each contender in the same round, by name. */
  readonly time: Readonly<Record<string, number>>;
  /** The inverses: its rate divided by that of each contender. */
  readonly rate: Readonly<Record<string, number>>;
}

/** How often the work is done. */
export interface Effort {
  /** The number of rounds that count: odd, so that one of them is the median. */
  readonly rounds: number;
  /** The number of runs of each contender in a round. */
  readonly runs: number;
  /** The number of rounds before those that count, in which the code is optimized. */
  readonly warmUp: number;
  /**
   * The number of runs in progress at once.
   * @default 1
   */
  readonly concurrency?: number;
}

/** Returns the middle one of an odd number of values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const timeOf = async ({ run }: Contender, { runs, concurrency = 1 }: Effort): Promise<number> => {
  const start = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let count = 0; count < runs / concurrency; count += 1) {
        await run();
      }
    }),
  );
  return (performance.now() - start) / runs;
};

/**
 * Measures contenders in turns, so that other load on the machine affects all of them.
 *
 * Ratios are computed within a round. Unlike times, they do not change when the machine slows down.
 */
export const measure = async (contenders: readonly Contender[], effort: Effort): Promise<Timing[]> => {
  const rounds: number[][] = [];
  for (let round = -effort.warmUp; round < effort.rounds; round += 1) {
    const times: number[] = [];
    // The order alternates, because each contender pays for the garbage of the one before it.
    const order = [...contenders.entries()];
    for (const [index, contender] of round % 2 === 0 ? order : order.toReversed()) {
      times[index] = await timeOf(contender, effort);
    }
    if (round >= 0) {
      rounds.push(times);
    }
  }
  const timesOf = (index: number) => rounds.map((times) => times[index] ?? Number.NaN);
  return contenders.map(({ name }, index) => {
    const ratios = contenders.map(({ name: other }, otherIndex) => {
      const others = timesOf(otherIndex);
      return [
        other,
        median(timesOf(index).map((own, round) => own / (others[round] ?? Number.NaN))),
      ] as const;
    });
    return {
      name,
      ms: median(timesOf(index)),
      best: Math.min(...timesOf(index)),
      time: Object.fromEntries(ratios),
      rate: Object.fromEntries(ratios.map(([other, ratio]) => [other, 1 / ratio])),
    };
  });
};
