/** One way to do a piece of work. */
export interface Contender {
  readonly name: string;
  readonly run: () => unknown;
}

/** How fast one contender was. */
export interface Rate {
  readonly name: string;
  readonly microseconds: number;
  /** Median over the rounds of its rate divided by that of each contender in the same round, by name. */
  readonly against: Readonly<Record<string, number>>;
}

interface Effort {
  readonly rounds: number;
  /** Calls of each contender in a round. */
  readonly calls: number;
  /**
   * Calls under way at once.
   * @default 1
   */
  readonly concurrency?: number;
}

/** Rounds that are not counted: optimised code is what a long test run gets. */
const WARM_UP = 10;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

const time = async ({ run }: Contender, { calls, concurrency = 1 }: Effort): Promise<number> => {
  const start = process.hrtime.bigint();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let call = 0; call < calls / concurrency; call += 1) await run();
    }),
  );
  return Number(process.hrtime.bigint() - start) / 1_000 / calls;
};

/**
 * Measures contenders in turns, so that what else the machine does meets all of them.
 *
 * Ratios are taken within a round: they stay when the machine slows down, which rates do not.
 */
export const measure = async (contenders: readonly Contender[], effort: Effort): Promise<Rate[]> => {
  const rounds: number[][] = [];
  for (let round = -WARM_UP; round < effort.rounds; round += 1) {
    const times: number[] = [];
    for (const contender of contenders) times.push(await time(contender, effort));
    if (round >= 0) rounds.push(times);
  }
  return contenders.map(({ name }, index) => ({
    name,
    microseconds: median(rounds.map((times) => times[index] ?? Number.NaN)),
    against: Object.fromEntries(
      contenders.map((other, at) => [
        other.name,
        median(rounds.map((times) => (times[at] ?? Number.NaN) / (times[index] ?? Number.NaN))),
      ]),
    ),
  }));
};
