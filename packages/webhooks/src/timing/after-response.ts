/** Takes a task that must not hold back the response. The task never rejects. */
export type AfterResponse = (task: () => Promise<void>) => void;

const atOnce: AfterResponse = (task) => {
  void task();
};

/** What the host offers for work after the response; where it offers nothing, or fails, the task runs at once. */
export const afterResponseOf = (offered: AfterResponse = atOnce): AfterResponse => {
  return (task) => {
    try {
      offered(task);
    } catch {
      // A host whose request has ended may refuse further work; what is lost otherwise is an error report.
      atOnce(task);
    }
  };
};

/** What Workers and other hosts of functions offer for work after the response. */
export interface WaitUntil {
  /** Keeps the function alive until the promise settles. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

const offersWaitUntil = (value: unknown): value is { waitUntil: (work: Promise<unknown>) => void } =>
  typeof value === 'object' &&
  value !== null &&
  'waitUntil' in value &&
  typeof value.waitUntil === 'function';

/** The `waitUntil()` among what a host passes beside the request; `undefined` if there is none. */
export const afterResponseIn = (context: readonly unknown[]): AfterResponse | undefined => {
  const host = context.find(offersWaitUntil);
  // Called as a method: on Workers it fails without its object.
  return host && ((task) => host.waitUntil(task()));
};
