import type { Era } from '../clock/era.ts';
import type { Random } from '../random/random.ts';
import { checkFault, checkTarget } from './check-fault.ts';
import type { Fault, FaultFunction, FaultRequest, FaultTarget } from './fault.ts';

interface Planned {
  readonly target: FaultTarget;
  readonly fault: Fault | FaultFunction;
  readonly once: boolean;
}

/** All planned faults at one moment. */
export type FaultsState = readonly Planned[];

/** What tests have asked to go wrong. */
export class Faults {
  #planned: Planned[] = [];
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * The next request of an operation meets this fault; asked for twice, the next two do.
   *
   * @param fault The fault, or a function that decides on it; one that decides on none stays for the next request.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
   * @example
   * mock.faults.once('leads.create', { status: 503, headers: { 'retry-after': '2' } });
   */
  once(target: FaultTarget, fault: Fault | FaultFunction): void {
    this.#plan({ target, fault, once: true });
  }

  /**
   * Every request of an operation meets this fault, until `clear()`.
   *
   * @param fault The fault, or a function that decides on it for each request.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
   * @example
   * mock.faults.always('*', { network: 'error', probability: 0.1 });
   * mock.faults.always('leads.get', ({ params }) => (params.id === lead.id ? { status: 500 } : undefined));
   */
  always(target: FaultTarget, fault: Fault | FaultFunction): void {
    this.#plan({ target, fault, once: false });
  }

  /** Nothing goes wrong any more. */
  clear(): void {
    this.#planned = [];
  }

  /** True when there is nothing to ask {@link Faults.take} for. */
  get none(): boolean {
    return this.#planned.length === 0;
  }

  /**
   * The fault that a request meets: those for one request come first.
   *
   * @param era Of the request: a fault that is decided on after its end strikes nobody.
   * @throws Whatever a fault function throws.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a fault function returns an invalid fault.
   */
  take(request: FaultRequest, era: Era): Fault | undefined | Promise<Fault | undefined> {
    const aimed = this.#planned.filter(({ target }) => target === '*' || target === request.operation);
    for (const planned of [...aimed.filter(({ once }) => once), ...aimed.filter(({ once }) => !once)]) {
      const putBack = planned.once ? this.#takeOut(planned, era) : () => {};
      const struck = this.#strike(planned, request, era);
      if (struck !== undefined) {
        return struck;
      }
      putBack();
    }
    return undefined;
  }

  save(): FaultsState {
    return this.#planned;
  }

  load(state: FaultsState): void {
    this.#planned = [...state];
  }

  #plan({ target, fault, once }: Planned): void {
    checkTarget(target);
    if (typeof fault !== 'function') {
      checkFault(fault);
    }
    // A copy: what was checked must be what strikes.
    const kept = typeof fault === 'function' ? fault : Object.freeze({ ...fault });
    this.#planned = [...this.#planned, { target, fault: kept, once }];
  }

  /** Before it is asked, so that it is used up whatever it does; returns what plans it again, where it was. */
  #takeOut(planned: Planned, era: Era): () => void {
    const at = this.#planned.indexOf(planned);
    this.#planned = this.#planned.toSpliced(at, 1);
    return () => {
      if (!era.over) {
        this.#planned = this.#planned.toSpliced(at, 0, planned);
      }
    };
  }

  #strike(
    { fault }: Planned,
    request: FaultRequest,
    era: Era,
  ): Fault | undefined | Promise<Fault | undefined> {
    if (typeof fault !== 'function') {
      return this.#drawn(fault);
    }
    const decided = fault(request);
    const checked = (late: Fault | undefined) => {
      if (late === undefined || era.over) {
        return undefined;
      }
      checkFault(late);
      return this.#drawn(late);
    };
    return decided !== undefined && 'then' in decided ? decided.then(checked) : checked(decided);
  }

  #drawn(fault: Fault): Fault | undefined {
    const { probability = 1 } = fault;
    return probability === 1 || this.#random.next() < probability ? fault : undefined;
  }
}
