/** Returns a function that runs a task on its first call. Every call returns the promise of that run. */
export const onlyOnce = (run: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  return () => {
    running ??= run();
    return running;
  };
};
