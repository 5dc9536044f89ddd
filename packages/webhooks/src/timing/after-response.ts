/** Schedules a task that must not delay the response. The task never rejects. */
export type AfterResponse = (task: () => Promise<void>) => void;

/** Returns the host's own way to run work after the response. If it has none, or if it fails, the task runs at once. */
export const afterResponseOf =
  (offered: AfterResponse = (task) => void task()): AfterResponse =>
  (task) => {
    let work: Promise<void> | undefined;
    // A host may fail after it has started the task, such as a waitUntil() that throws. The task must not run twice.
    const once = () => (work ??= task());
    try {
      offered(once);
    } catch {
      // A host may refuse further work once the request has ended. Without this, an error report would be lost.
      void once();
    }
  };

/** The context object of Workers and other function hosts, which can run work after the response. */
export interface WaitUntil {
  /** Keeps the function alive until the promise settles. */
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}

const offersWaitUntil = (value: unknown): value is { waitUntil: (work: Promise<unknown>) => void } =>
  typeof (value as WaitUntil | null | undefined)?.waitUntil === 'function';

/** Finds `waitUntil()` among the arguments that a host passes after the request; `undefined` if none has it. */
export const afterResponseIn = (context: readonly unknown[]): AfterResponse | undefined => {
  const host = context.find(offersWaitUntil);
  // Called as a method, because it fails on Workers without its object.
  return host && ((task) => host.waitUntil(task()));
};
