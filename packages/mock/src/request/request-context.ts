import { MockError } from '../errors/mock-error.ts';
import type { Era } from '../world/clock/era.ts';
import { unlessAborted } from '../world/clock/unless-aborted.ts';
import type { Fault } from '../world/faults/fault.ts';
import type { World } from '../world/world.ts';
import type { Call } from './call.ts';
import { methodOf } from './call.ts';
import type { RawQuery } from './input.ts';
import { readQuery } from './input.ts';
import type { Route } from './route.ts';
import { routeOf } from './route.ts';

/** A signal for the waits of one request, created when it is first needed. */
export interface AbortLink {
  readonly signal: AbortSignal;
  /** Stops listening to the caller and the era. */
  release(): void;
}

/** Links a request to its caller and its era: the signal aborts when either of them is gone. */
export const createAbortLink = (caller: AbortSignal | undefined, era: Era): AbortLink => {
  let link: AbortLink | undefined;
  const create = (): AbortLink => {
    const controller = new AbortController();
    const onAbort = () => controller.abort(caller?.reason);
    if (caller?.aborted) {
      onAbort();
    }
    caller?.addEventListener('abort', onAbort, { once: true });
    const forget = era.onEnd(() => controller.abort(restored()));
    return {
      signal: controller.signal,
      release: () => {
        caller?.removeEventListener('abort', onAbort);
        forget();
      },
    };
  };
  return {
    get signal() {
      link ??= create();
      return link.signal;
    },
    release: () => link?.release(),
  };
};

/** Why a request of an earlier era breaks off. */
export const restored = (): MockError =>
  new MockError('MOCK_RESTORED', 'The mock was restored, reset or closed while this request was under way');

/**
 * A request that passes through the steps of `handle`: what it asks for, and what the steps have found out so far.
 *
 * While it is under way, the world's clock counts it as work, so that virtual time stands still.
 */
export class RequestContext {
  readonly world: World;
  readonly call: Call;
  /** When it arrived, in milliseconds since 1970 on the mock's clock. */
  readonly at: number;
  /** The era it arrived in. Once that is over, the request breaks off. */
  readonly era: Era;
  /** The operation it asks for; `undefined` when no operation has its method and path. */
  readonly route: Route | undefined;
  readonly query: RawQuery;
  /** `undefined` until it has been read, and when it is larger than the mock reads. */
  body: string | undefined;
  /** What a test has planned to go wrong with it. */
  fault: Fault | undefined;
  /** Rate-limit headers for its response. */
  headers: Readonly<Record<string, string>> = {};
  /** Whether it is in the log already. */
  logged = false;
  readonly #link: AbortLink;
  #idle: () => void;

  constructor(world: World, call: Call) {
    this.world = world;
    this.call = call;
    this.at = world.clock.now();
    this.era = world.eras.current;
    this.#idle = world.clock.busy();
    this.route = routeOf(methodOf(call), call.path);
    this.query = readQuery(call.search, this.route?.operation.query);
    this.#link = createAbortLink(call.signal, this.era);
  }

  /**
   * Waits for something, and lets virtual time pass meanwhile.
   *
   * @throws The signal's reason, when the caller aborts or the era ends.
   */
  async wait<T>(run: (signal: AbortSignal) => T | Promise<T>): Promise<T> {
    this.#idle();
    try {
      return await unlessAborted(run(this.#link.signal), this.#link.signal);
    } finally {
      this.#idle = this.world.clock.busy();
    }
  }

  /** {@link RequestContext.wait} for code of the test, which may itself wait for the clock. */
  async waitForTestCode<T>(run: () => T | Promise<T>): Promise<T> {
    const returned = this.world.clock.outside('test');
    try {
      return await this.wait(run);
    } finally {
      returned();
    }
  }

  /** @throws {@link MockError} `MOCK_RESTORED`, when the era of the request is over: it must not change the new one. */
  checkEra(): void {
    if (this.era.over) {
      throw restored();
    }
  }

  /** Ends the request. */
  end(): void {
    this.#link.release();
    this.#idle();
  }
}
