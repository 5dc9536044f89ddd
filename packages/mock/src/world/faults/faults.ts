import type { OperationId } from '@confab/client/contract';
import { anyValue, optionProblem, typeName } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import { isBoolean, isString, must, refuse, shown } from '../../errors/check.ts';
import { invalidArgument, MockError } from '../../errors/mock-error.ts';
import type { Random } from '../store/random.ts';
import type { Fault, FaultFunction, FaultPlan, FaultRequest, FaultTarget, PlannedFault } from './fault.ts';
import { checkFault, checkTarget } from './fault.ts';

/** All planned faults at one moment. */
export type FaultsState = readonly PlannedFault[];

/** How many requests are still to pass before a fault takes effect. */
const skipOf = ({ fault }: PlannedFault): number => (typeof fault === 'function' ? 0 : (fault.skip ?? 0));

/** A fault that has let one more request pass. */
const afterSkip = (planned: PlannedFault): PlannedFault => {
  const skip = skipOf(planned);
  return skip === 0 ? planned : { ...planned, fault: { ...planned.fault, skip: skip - 1 } };
};

/** Checks what a fault function has returned. */
const checkDecided = (fault: Fault | undefined): Fault | undefined => {
  if (fault === undefined) {
    return undefined;
  }
  if (typeName(fault) !== 'an object') {
    throw invalidArgument(
      `it must return a fault such as { status: 503 }, undefined, or a promise of one, got ${shown(fault)}`,
    );
  }
  checkFault(fault);
  if (fault.skip !== undefined) {
    throw invalidArgument(
      'A fault that a function returns must not have `skip`: return undefined to let a request pass',
    );
  }
  return fault;
};

/** The fault that a function decides on: a 500 if it fails. Only a function that returns a promise has to be awaited. */
const decide = (
  fault: FaultFunction,
  request: FaultRequest,
): Fault | undefined | Promise<Fault | undefined> => {
  const failed = (error: unknown): Fault => {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The fault function for ${request.method} ${request.path} failed: ${reason}`;
    return { status: 500, body: { success: false, error: message, code: 'FAULT_FAILED' } };
  };
  try {
    const decided = fault(request);
    return typeof decided === 'object' && decided !== null && 'then' in decided
      ? Promise.resolve(decided).then(checkDecided).catch(failed)
      : checkDecided(decided);
  } catch (error) {
    return failed(error);
  }
};

/** Refuses what would be ignored silently, such as a number of times. */
const checkNoMore = (method: string, more: readonly unknown[]): void => {
  if (more.length > 0) {
    throw invalidArgument(
      `faults.${method}() takes an operation and a fault, got ${shown(more[0])} as well. Call once() once for each request to affect, and let \`skip\` pass over others.`,
    );
  }
};

/** The faults that tests have planned. */
export class Faults {
  #planned: readonly PlannedFault[] = [];
  /** Faults planned with `once` whose function has not decided yet. */
  readonly #deciding = new Set<PlannedFault>();
  #plans = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Plans a fault for the next request of an operation. Call it twice to affect the next two requests.
   *
   * @param fault The fault, or a function that returns it. A function that returns `undefined` stays planned for the next
   * request.
   * @returns The id of the planned fault, for `remove()`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
   * @example
   * ```ts
   * mock.faults.once('leads.create', { status: 503, headers: { 'retry-after': '2' } });
   * ```
   */
  once(target: FaultTarget, fault: Fault | FaultFunction, ...more: never[]): string {
    checkNoMore('once', more);
    return this.#plan(target, fault, true);
  }

  /**
   * Plans a fault for every request of an operation, until `clear()` is called.
   *
   * @param fault The fault, or a function that returns one for each request.
   * @returns The id of the planned fault, for `remove()`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
   * @example
   * ```ts
   * mock.faults.always('*', { network: 'error', probability: 0.1 });
   * mock.faults.always('leads.get', ({ params }) => (params.id === lead.id ? { status: 500 } : undefined));
   * ```
   */
  always(target: FaultTarget, fault: Fault | FaultFunction, ...more: never[]): string {
    checkNoMore('always', more);
    return this.#plan(target, fault, false);
  }

  /** The faults that are planned, in the order of planning. */
  get planned(): readonly PlannedFault[] {
    return this.#planned;
  }

  /**
   * Removes one planned fault, and returns whether it was still planned.
   *
   * @param id The id that `once()` or `always()` returned.
   * @example
   * ```ts
   * const outage = mock.faults.always('*', { status: 503 });
   * mock.faults.remove(outage);
   * ```
   */
  remove(id: string): boolean {
    refuse(isString('id', id));
    const before = this.#planned.length;
    this.#planned = this.#planned.filter((planned) => planned.id !== id);
    return this.#planned.length < before;
  }

  /** Removes all planned faults. */
  clear(): void {
    this.#planned = [];
  }

  /** Whether any fault is planned. */
  get any(): boolean {
    return this.#planned.length > 0;
  }

  /**
   * Returns the fault for a request. Those planned with `once` come first.
   *
   * @param resetSignal Aborted when the mock is reset. A function that decides after that has no effect.
   */
  async take(request: FaultRequest, resetSignal: AbortSignal): Promise<Fault | undefined> {
    const due = this.#due(request.operation);
    for (const planned of [...due.filter(({ once }) => once), ...due.filter(({ once }) => !once)]) {
      // Another request may use it up, or a test may have removed it, while a function decides.
      if (!this.#planned.includes(planned) || this.#deciding.has(planned)) {
        continue;
      }
      const { id, fault, once } = planned;
      let found = typeof fault === 'function' ? decide(fault, request) : fault;
      if (found instanceof Promise) {
        if (once) {
          this.#deciding.add(planned);
        }
        found = await found;
        this.#deciding.delete(planned);
      }
      if (resetSignal.aborted) {
        return undefined;
      }
      if (found !== undefined && this.#isDrawn(found)) {
        if (once) {
          this.remove(id);
        }
        return found;
      }
    }
    return undefined;
  }

  save(): FaultsState {
    return this.#planned;
  }

  load(state: FaultsState): void {
    this.#planned = state;
  }

  #plan(operation: FaultTarget, fault: Fault | FaultFunction, once: boolean): string {
    checkTarget(operation);
    if (typeof fault !== 'function') {
      checkFault(fault);
    }
    // A copy, so that a later change can't make a checked fault invalid.
    const kept =
      typeof fault === 'function' ? fault : { ...fault, headers: fault.headers && { ...fault.headers } };
    this.#plans += 1;
    const id = `fault_${this.#plans}`;
    this.#planned = [...this.#planned, { id, operation, fault: kept, once }];
    return id;
  }

  /** Returns the faults that a request may get, and counts it for those that skip it. */
  #due(operation: OperationId | undefined): readonly PlannedFault[] {
    const isAimed = (planned: PlannedFault) => planned.operation === '*' || planned.operation === operation;
    const due = this.#planned.filter((planned) => isAimed(planned) && skipOf(planned) === 0);
    this.#planned = this.#planned.map((planned) => (isAimed(planned) ? afterSkip(planned) : planned));
    return due;
  }

  #isDrawn({ probability = 1 }: Fault): boolean {
    return probability === 1 || this.#random.next() < probability;
  }
}

const PLAN: Checks<FaultPlan> = { operation: anyValue, fault: anyValue, once: isBoolean };

/**
 * Plans a fault that was written as JSON, and returns its id.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown, or a value invalid.
 */
export const planFault = (faults: Pick<Faults, 'once' | 'always'>, plan: FaultPlan): string => {
  refuse(optionProblem('field of a planned fault', plan, PLAN));
  const { operation, fault, once = true } = plan;
  return once ? faults.once(operation, fault) : faults.always(operation, fault);
};

/**
 * Plans the faults of `data`.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when one is invalid.
 */
export const planFaults = (faults: Faults, plans: readonly FaultPlan[]): void => {
  refuse(must(Array.isArray, 'an array')('data.faults', plans));
  for (const [at, plan] of plans.entries()) {
    try {
      planFault(faults, plan);
    } catch (error) {
      throw error instanceof MockError ? invalidArgument(`data.faults[${at}]: ${error.message}`) : error;
    }
  }
};
