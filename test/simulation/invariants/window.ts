/** A request as a window sees it. */
interface Countable {
  readonly endedAt: number | undefined;
  readonly ending: { readonly status?: number | undefined } | undefined;
}

/** Creates a record of the requests that the service may count: those in flight, and those that ended within the window. */
export const createWindow = (now: () => number) => {
  const attempts = new Set<Countable>();
  return {
    add: (attempt: Countable): void => void attempts.add(attempt),
    count(perMs: number): number {
      let counted = 0;
      for (const attempt of attempts) {
        const { ending, endedAt = Number.POSITIVE_INFINITY } = attempt;
        // No window is longer than a minute, so younger requests are kept.
        if (ending?.status === 429 || endedAt + 60_000 <= now()) {
          attempts.delete(attempt);
        } else if (endedAt + perMs > now()) {
          counted += 1;
        }
      }
      return counted;
    },
  };
};
