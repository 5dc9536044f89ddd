import { anyValue, optionProblem, typeName } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import { checkThat, formatValue, isBoolean, throwIfInvalid } from '../../errors/check.ts';
import { reasonOf } from '../../errors/failure-reason.ts';
import { invalidArgument, MockError } from '../../errors/mock-error.ts';
import type { Random } from '../store/random.ts';
import type { Fault, FaultFunction, FaultPlan, FaultRequest, FaultTarget, PlannedFault } from './fault.ts';
import { checkFault, checkTarget, copyOf, isAimedAt } from './fault.ts';
import { Plans } from './plans.ts';

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
      `it must return a fault such as { status: 503 }, undefined, or a promise of one, got ${formatValue(fault)}`,
    );
  }
  checkFault(fault);
  if (fault.skip !== undefined || fault.match !== undefined) {
    throw invalidArgument(
      'A fault that a function returns must not have `skip` or `match`: return undefined to let a request pass',
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
    const message = `The fault function for ${request.method} ${request.path} failed: ${reasonOf(error)}`;
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
      `faults.${method}() takes an operation and a fault, got ${formatValue(more[0])} as well. Call once() once for each request to affect, and let \`skip\` pass over others.`,
    );
  }
};

/** The faults that tests have planned. */
export class Faults extends Plans<PlannedFault> {
  /** The ids of those planned with `once` whose function has not decided yet. */
  readonly #deciding = new Set<string>();
  readonly #random: Random;

  constructor(random: Random) {
    super();
    this.#random = random;
  }

  /**
   * Plans a fault for the next request of an operation that it matches. Call it twice to affect the next two requests: a
   * client that repeats a request uses one up with each attempt.
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
    return this.plan(target, fault, true);
  }

  /**
   * Plans a fault for every request of an operation that it matches, until it is removed. Of those that match a request,
   * the first one strikes; those planned with `once` come first.
   *
   * @param fault The fault, or a function that returns one for each request.
   * @returns The id of the planned fault, for `remove()`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
   * @example
   * ```ts
   * mock.faults.always('*', { network: 'error', probability: 0.1 });
   * mock.faults.always('leads.update', { status: 500, match: { params: { id: lead.id } } });
   * ```
   */
  always(target: FaultTarget, fault: Fault | FaultFunction, ...more: never[]): string {
    checkNoMore('always', more);
    return this.plan(target, fault, false);
  }

  /** `once()` or `always()`. */
  plan(operation: FaultTarget, given: Fault | FaultFunction, once: boolean, fromData = false): string {
    checkTarget(operation);
    if (typeof given !== 'function') {
      checkFault(given, operation);
    }
    const fault = typeof given === 'function' ? given : copyOf(given);
    return this.add('fault', (id) => ({ id, operation, fault, once, used: 0, fromData }));
  }

  /** Replaces the faults that `data` planned by those of other data. */
  replaceFromData(faults: readonly PlannedFault[]): void {
    this.change((planned) => (planned.fromData ? [] : planned));
    for (const { operation, fault, once, fromData } of faults) {
      if (fromData) {
        this.plan(operation, fault, once, true);
      }
    }
  }

  /**
   * Returns the fault for a request: a promise only if a function decides on it.
   *
   * @param resetSignal Aborted when the mock is reset. A function that decides after that has no effect.
   */
  take(request: FaultRequest, resetSignal: AbortSignal): Fault | undefined | Promise<Fault | undefined> {
    return this.#first(this.inTurn(this.#due(request)), request, resetSignal);
  }

  /** Returns the first of some faults that strikes. */
  #first(
    [next, ...rest]: readonly PlannedFault[],
    request: FaultRequest,
    resetSignal: AbortSignal,
  ): Fault | undefined | Promise<Fault | undefined> {
    if (next === undefined) {
      return undefined;
    }
    const goOn = (found: Fault | undefined) => {
      if (resetSignal.aborted) {
        return undefined;
      }
      return found !== undefined && this.#strikes(next, found)
        ? found
        : this.#first(rest, request, resetSignal);
    };
    const { id, fault, once } = next;
    // Another request may use it up, or a test may have removed it, while a function decides.
    if (this.#deciding.has(id) || !this.planned.some((planned) => planned.id === id)) {
      return goOn(undefined);
    }
    if (typeof fault !== 'function') {
      return goOn(fault);
    }
    this.count(id);
    // A copy, which the function may change.
    const { params, query, headers } = request;
    const copy = { ...request, params: { ...params }, query: { ...query }, headers: new Headers(headers) };
    const found = decide(fault, copy);
    if (!(found instanceof Promise)) {
      return goOn(found);
    }
    if (once) {
      this.#deciding.add(id);
    }
    return found.then((decided) => {
      this.#deciding.delete(id);
      return goOn(decided);
    });
  }

  /** Draws whether a fault strikes, and if so, counts it. */
  #strikes({ id, fault }: PlannedFault, { probability = 1 }: Fault): boolean {
    if (probability < 1 && this.#random.next() >= probability) {
      return false;
    }
    if (typeof fault !== 'function') {
      this.count(id);
    }
    this.end(id);
    return true;
  }

  /** Returns the faults that a request may get, and counts it for those that skip it. */
  #due(request: FaultRequest): readonly PlannedFault[] {
    const aimed = this.planned.filter((planned) => isAimedAt(planned, request));
    const due = aimed.filter((planned) => skipOf(planned) === 0);
    if (due.length < aimed.length) {
      this.change((planned) => (aimed.includes(planned) ? afterSkip(planned) : planned));
    }
    return due;
  }
}

const PLAN: Checks<FaultPlan> = { operation: anyValue, fault: anyValue, once: isBoolean };

/**
 * Plans a fault that was written as JSON, and returns its id.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown, or a value invalid.
 */
export const planFault = (faults: Faults, plan: FaultPlan, fromData = false): string => {
  throwIfInvalid(optionProblem('field of a planned fault', plan, PLAN));
  const { operation, fault, once = true } = plan;
  return faults.plan(operation, fault, once, fromData);
};

/**
 * Plans the faults of a list, as `data` has them.
 *
 * @param name What messages call the list.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when one is invalid.
 */
export const planFaults = (faults: Faults, plans: readonly FaultPlan[], name: string): void => {
  throwIfInvalid(checkThat(Array.isArray, 'an array')(name, plans));
  for (const [at, plan] of plans.entries()) {
    try {
      planFault(faults, plan, true);
    } catch (error) {
      throw error instanceof MockError ? invalidArgument(`${name}[${at}]: ${error.message}`) : error;
    }
  }
};
