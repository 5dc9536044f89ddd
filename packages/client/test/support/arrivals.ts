/** What arrived at a server, as it came. */
export interface Arrival {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** All that arrives at one server, to be looked at and waited for. */
export interface Arrivals {
  readonly arrivals: readonly Arrival[];
  /** Resolves when the n-th request has arrived. */
  arrived(count: number): Promise<void>;
}

export const createArrivals = (): Arrivals & { readonly arrive: (arrival: Arrival) => number } => {
  const arrivals: Arrival[] = [];
  const waiting = new Set<() => void>();
  return {
    arrivals,
    /** Tells how many there are with this one. */
    arrive(arrival) {
      const count = arrivals.push(arrival);
      for (const check of waiting) {
        check();
      }
      return count;
    },
    arrived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (arrivals.length < count) {
            return;
          }
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
};
