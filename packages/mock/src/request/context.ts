import { rejectOnAbort } from '@confab/internal';
import { linkSignals } from '../world/clock/abort.ts';
import type { Fault } from '../world/faults/fault.ts';
import type { World } from '../world/world.ts';
import type { IncomingRequest } from './incoming-request.ts';
import { toRoutedMethod } from './incoming-request.ts';
import type { RawQuery } from './input.ts';
import { readQuery } from './input.ts';
import type { Route } from './route.ts';
import { findRoute } from './route.ts';

/** A request in progress, with the results of the steps of `handle`. */
export class RequestContext {
  readonly world: World;
  readonly incoming: IncomingRequest;
  /** When the request arrived, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** Aborted when the world is restored or closed, which ends the request. */
  readonly resetSignal: AbortSignal;
  /** The operation and its parameters; `undefined` when no operation has this method and path. */
  readonly route: Route | undefined;
  readonly query: RawQuery;
  /** `undefined` until the body has been read, and if it is too large. */
  body: string | undefined;
  /** The planned fault that applies to the request. */
  fault: Fault | undefined;
  /** Headers for the response. */
  rateLimitHeaders: Readonly<Record<string, string>> = {};
  /** Whether the request is in the log already. */
  logged = false;
  /** Releases the clock when the request has ended. */
  releaseClock: () => void;

  constructor(world: World, incoming: IncomingRequest) {
    this.world = world;
    this.incoming = incoming;
    this.at = world.clock.now();
    this.resetSignal = world.resetController.signal;
    this.route = findRoute(toRoutedMethod(incoming), incoming.path);
    this.query = readQuery(incoming.search, this.route?.operation.query);
    this.releaseClock = world.clock.holdTime('work');
  }

  /**
   * Waits for an action, and lets virtual time pass in the meantime.
   *
   * @throws The signal's reason, when the caller aborts or the mock is reset.
   */
  async wait<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { controller, release: unlink } = linkSignals(this.incoming.signal, this.resetSignal);
    this.releaseClock();
    try {
      return await rejectOnAbort(run(controller.signal), controller.signal);
    } finally {
      this.releaseClock = this.world.clock.holdTime('work');
      unlink();
    }
  }

  /** {@link RequestContext.wait} for test code, which may itself wait for the clock. */
  async waitForTestCode<T>(code: Promise<T>): Promise<T> {
    const release = this.world.clock.holdTime('test');
    try {
      return await this.wait(() => code);
    } finally {
      release();
    }
  }
}
