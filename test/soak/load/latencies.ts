/** The latencies of one interval, in milliseconds. */
export interface LatencyFigures {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;

/** Collects latencies, and sums them up at the end of each interval. */
export class Latencies {
  #values: number[] = [];

  /** Measures how long work takes. Failed work counts for nothing. */
  async time<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.#values.push(performance.now() - start);
    return result;
  }

  /** Ends an interval, and begins the next one. */
  next(): LatencyFigures {
    const sorted = this.#values.toSorted((a, b) => a - b);
    this.#values = [];
    return { count: sorted.length, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
  }
}
