/** One way to do a piece of work; may give a promise. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

/** How long one contender took. */
export interface Timing {
  readonly name: string;
  /** Median of the milliseconds of one run. */
  readonly ms: number;
  /** Milliseconds of its best round: where waiting is most of the time, whatever else the machine does adds to it. */
  readonly best: number;
  /** Median over the rounds of its time divided by that of each contender in the same round, by name. */
  readonly time: Readonly<Record<string, number>>;
  /** The same of its rate: the inverse. */
  readonly rate: Readonly<Record<string, number>>;
}

/** How often everything is done. */
export interface Effort {
  /** Rounds that count: an odd number, so that one of them is the median. */
  readonly rounds: number;
  /** Runs of each contender in a round. */
  readonly runs: number;
  /** Warm-up rounds, which do not count, so that the code is optimized when measuring begins. */
  readonly warmUp: number;
  /**
   * Runs in progress at once.
   * @default 1
   */
  readonly concurrency?: number;
}

/** The middle of an odd number of values. */
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
 * Ratios are taken within a round: unlike times, they stay the same when the machine slows down.
 */
export const measure = async (contenders: readonly Contender[], effort: Effort): Promise<Timing[]> => {
  const rounds: number[][] = [];
  for (let round = -effort.warmUp; round < effort.rounds; round += 1) {
    const times: number[] = [];
    // In both directions: each contender pays for garbage of the one before, which must not always be the same.
    const order = [...contenders.entries()];
    for (const [index, contender] of round % 2 === 0 ? order : order.toReversed()) {
      times[index] = await timeOf(contender, effort);
    }
    if (round >= 0) {
      rounds.push(times);
    }
  }
  const of = (index: number) => rounds.map((times) => times[index] ?? Number.NaN);
  return contenders.map(({ name }, index) => {
    const ratios = contenders.map(({ name: other }, at) => {
      const others = of(at);
      return [other, median(of(index).map((own, round) => own / (others[round] ?? Number.NaN)))] as const;
    });
    return {
      name,
      ms: median(of(index)),
      best: Math.min(...of(index)),
      time: Object.fromEntries(ratios),
      rate: Object.fromEntries(ratios.map(([other, ratio]) => [other, 1 / ratio])),
    };
  });
};
