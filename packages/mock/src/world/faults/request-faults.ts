import { anyValue, isBoolean, optionProblem, typeName } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import { checkThat, formatValue, throwIfInvalid } from '../../errors/check.ts';
import { readMessage } from '../../errors/failure-reason.ts';
import { invalidArgument, MockError } from '../../errors/mock-error.ts';
import { matchesRequest } from '../matching/request-match.ts';
import type { Random } from '../store/random.ts';
import type { Fault, FaultFunction, FaultPlan, FaultRequest, FaultTarget, PlannedFault } from './fault.ts';
import { checkFault, checkTarget, copyFault } from './fault.ts';
import type { PlannedFaults } from './fault-list.ts';
import { FaultList } from './fault-list.ts';

/** How many matching requests still pass before the fault applies to one. */
const remainingSkips = ({ fault }: PlannedFault): number =>
  typeof fault === 'function' ? 0 : (fault.skip ?? 0);

/** Returns the fault after it has let one more request pass. */
const skipOne = (planned: PlannedFault): PlannedFault => {
  const skip = remainingSkips(planned);
  return skip === 0 ? planned : { ...planned, fault: { ...planned.fault, skip: skip - 1 } };
};

/** Whether a fault can apply to a request. A fault function decides on every request of its operation. */
const appliesTo = ({ operation, fault }: PlannedFault, request: FaultRequest): boolean =>
  (operation === '*' || operation === request.operation) &&
  (typeof fault === 'function' || fault.match === undefined || matchesRequest(request, fault.match));

/** Checks the return value of a fault function. */
const checkReturned = (fault: Fault | undefined): Fault | undefined => {
  if (fault === undefined) {
    return undefined;
  }
  if (typeName(fault) !== 'an object') {
    throw invalidArgument(
      `The function must return a fault such as { status: 503 }, undefined, or a promise of one, got ${formatValue(fault)}.`,
    );
  }
  checkFault(fault);
  if (fault.skip !== undefined || fault.match !== undefined) {
    throw invalidArgument(
      'The function must not return a fault with `skip` or `match`: return undefined to let a request pass.',
    );
  }
  return fault;
};

/** Runs a fault function. If it fails, the fault is a 500 with the reason. */
const runFaultFunction = async (
  decider: FaultFunction,
  request: FaultRequest,
): Promise<Fault | undefined> => {
  // The function may change its argument, so it gets a copy.
  const { params, query, body, headers } = request;
  const copy = {
    ...request,
    params: { ...params },
    query: { ...query },
    body: structuredClone(body),
    headers: new Headers(headers),
  };
  try {
    return checkReturned(await decider(copy));
  } catch (error) {
    const message = `The fault function for ${request.method} ${request.path} failed: ${readMessage(error)}`;
    return { status: 500, body: { success: false, error: message, code: 'FAULT_FAILED' } };
  }
};

const PLAN_CHECKS: Checks<FaultPlan> = { operation: anyValue, fault: anyValue, once: isBoolean };

/** Refuses further arguments, such as a number of times, which would be ignored silently. */
const checkArgumentCount = (method: string, more: readonly unknown[]): void => {
  if (more.length > 0) {
    throw invalidArgument(
      `faults.${method}() takes an operation and a fault, got ${formatValue(more[0])} as well. Call once() once for each request to affect, and let \`skip\` pass over others.`,
    );
  }
};

/** Plans what goes wrong with requests. */
export interface MockFaults extends PlannedFaults<PlannedFault> {
  /**
   * Plans a fault for the next matching request of an operation. Call it twice to plan one for each of the next two: a
   * client that retries a request uses one up with each attempt.
   *
   * @param fault The fault, or a function that returns it. A function that returns `undefined` stays planned for the next
   * request.
   * @returns The id of the planned fault, for `remove()`.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
   * @example
   * ```ts
   * mock.faults.once('leads.create', { status: 503, headers: { 'retry-after': '2' } });
   * ```
   */
  once(target: FaultTarget, fault: Fault | FaultFunction): string;
  /**
   * Plans a fault for every matching request of an operation, until it is removed. If several faults match a request, the
   * one planned first applies to it; faults planned with `once` come before all others.
   *
   * @param fault The fault, or a function that returns one for each request.
   * @returns The id of the planned fault, for `remove()`.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when the operation is unknown or the fault invalid.
   * @example
   * ```ts
   * mock.faults.always('*', { network: 'error', probability: 0.1 });
   * mock.faults.always('leads.update', { status: 500, match: { params: { id: lead.id } } });
   * ```
   */
  always(target: FaultTarget, fault: Fault | FaultFunction): string;
}

/** The planned faults of requests. */
export class RequestFaults extends FaultList<PlannedFault> implements MockFaults {
  /** The ids of faults planned with `once` whose function is running. */
  readonly #deciding = new Set<string>();
  readonly #random: Random;

  constructor(random: Random) {
    super();
    this.#random = random;
  }

  once(target: FaultTarget, fault: Fault | FaultFunction, ...more: never[]): string {
    checkArgumentCount('once', more);
    return this.plan({ operation: target, fault });
  }

  always(target: FaultTarget, fault: Fault | FaultFunction, ...more: never[]): string {
    checkArgumentCount('always', more);
    return this.plan({ operation: target, fault, once: false });
  }

  /**
   * Does what `once()` and `always()` do, also for a plan from JSON.
   *
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field is unknown, or a value invalid.
   */
  plan(plan: Omit<FaultPlan, 'fault'> & Pick<PlannedFault, 'fault'>, fromData = false): string {
    throwIfInvalid(optionProblem('planned fault field', plan, PLAN_CHECKS));
    const { operation, fault: given, once = true } = plan;
    checkTarget(operation);
    if (typeof given !== 'function') {
      checkFault(given, operation);
    }
    const fault = typeof given === 'function' ? given : copyFault(given);
    return this.append('fault', (id) => ({ id, operation, fault, once, used: 0, fromData }));
  }

  /** Replaces the faults of `data` with those of other data. */
  replaceFromData(faults: readonly PlannedFault[]): void {
    this.change((planned) => (planned.fromData ? [] : planned));
    for (const { operation, fault, once, fromData } of faults) {
      if (fromData) {
        this.plan({ operation, fault, once }, true);
      }
    }
  }

  /**
   * Returns the first fault that applies to a request, and counts that use.
   *
   * @param resetSignal Aborted when the mock is reset, after which a fault function has no effect.
   */
  async take(request: FaultRequest, resetSignal: AbortSignal): Promise<Fault | undefined> {
    for (const next of this.onceFirst(this.#findApplicable(request))) {
      const { id, fault } = next;
      // While a function ran, another request may have used the fault up, or a test may have removed it.
      if (!this.#deciding.has(id) && this.planned.some((planned) => planned.id === id)) {
        const found = typeof fault === 'function' ? await this.#runFunction(next, fault, request) : fault;
        if (resetSignal.aborted) {
          return undefined;
        }
        if (found !== undefined && this.#use(next, found)) {
          return found;
        }
      }
    }
    return undefined;
  }

  /** Runs a fault function. With `once`, it decides on one request at a time. */
  async #runFunction({ id, once }: PlannedFault, fault: FaultFunction, request: FaultRequest) {
    this.countUse(id);
    if (once) {
      this.#deciding.add(id);
    }
    const found = await runFaultFunction(fault, request);
    this.#deciding.delete(id);
    return found;
  }

  /** Draws whether a fault applies, and if so, counts that use. */
  #use({ id, fault }: PlannedFault, { probability = 1 }: Fault): boolean {
    if (probability < 1 && this.#random.next() >= probability) {
      return false;
    }
    if (typeof fault !== 'function') {
      this.countUse(id);
    }
    this.end(id);
    return true;
  }

  /** Returns the faults that may apply to a request, and counts the request for those that skip it. */
  #findApplicable(request: FaultRequest): readonly PlannedFault[] {
    const applicable = this.planned.filter((planned) => appliesTo(planned, request));
    const due = applicable.filter((planned) => remainingSkips(planned) === 0);
    if (due.length < applicable.length) {
      this.change((planned) => (applicable.includes(planned) ? skipOne(planned) : planned));
    }
    return due;
  }
}

/**
 * Plans the faults of `data`.
 *
 * @param name The name of the list in messages: `data.faults`.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when one is invalid.
 */
export const planFaults = (faults: RequestFaults, plans: readonly FaultPlan[], name: string): void => {
  throwIfInvalid(checkThat(Array.isArray, 'an array')(name, plans));
  for (const [index, plan] of plans.entries()) {
    try {
      faults.plan(plan, true);
    } catch (error) {
      throw error instanceof MockError ? invalidArgument(`${name}[${index}]: ${error.message}`) : error;
    }
  }
};
