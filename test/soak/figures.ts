/** What a process measures about itself. */
export interface Figures {
  /** Bytes in use after a forced collection of garbage; undefined if none was forced. */
  readonly heapBytes: number | undefined;
  readonly rssBytes: number;
  /** Open handles and requests that keep the process alive, by kind. */
  readonly handles: Readonly<Record<string, number>>;
}

/** The `gc()` of `--expose-gc`. */
const collect = (): void => {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) {
    throw new Error('Start this process with --expose-gc.');
  }
  gc();
};

/** Measures this process. A forced collection stops it for some milliseconds. */
export const measureProcess = (collectGarbage: boolean): Figures => {
  if (collectGarbage) {
    collect();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const handles: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) {
    handles[kind] = (handles[kind] ?? 0) + 1;
  }
  return { heapBytes: collectGarbage ? heapUsed + external : undefined, rssBytes: rss, handles };
};
