import type { RunOnce } from '../dedupe/run-once.ts';
import type { KnownEvent, UnknownEvent } from '../events/webhook-event.ts';
import type { AfterResponse } from '../timing/after-response.ts';
import type { DeliveryContext, Handlers } from './handlers.ts';

/** How a run is recognized, and where work that outlives it goes. */
interface RunSettings {
  /** Returns the key of `dedupe`. It is called only if there are handlers. */
  readonly keyOf: () => Promise<string | undefined>;
  readonly after: AfterResponse;
}

/** Runs the handlers of an event. Resolves to false if another run of the same delivery has not ended. */
export type RunHandlers = (
  event: KnownEvent | UnknownEvent,
  context: DeliveryContext,
  settings: RunSettings,
) => Promise<boolean>;

/** Creates the last step of a delivery, which a request and a queued delivery share. */
export const createRunHandlers =
  (handlers: Handlers, runOnce: RunOnce | undefined): RunHandlers =>
  async (event, context, { keyOf, after }) => {
    if (!handlers.has(event)) {
      return true;
    }
    const run = () => handlers.run(event, context);
    const key = runOnce && (await keyOf());
    const state = await (key === undefined
      ? run()
      : // Stryker disable next-line OptionalChaining: Without runOnce there is no key.
        runOnce?.({ key, headers: context.headers }, run, after));
    return state !== 'running';
  };
