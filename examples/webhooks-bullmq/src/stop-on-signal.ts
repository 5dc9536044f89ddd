/** Most milliseconds for a graceful end. Platforms such as Kubernetes kill a process after 30 seconds. */
const GRACE_MS = 25_000;

/** Stops gracefully on SIGTERM and Ctrl-C. A second signal ends the process at once. */
export const stopOnSignal = (stop: () => Promise<void>): void => {
  const end = async () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    await stop();
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
};
