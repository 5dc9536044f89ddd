import { isString, throwIfInvalid } from '../../errors/check.ts';

/** A planned fault, of any kind. */
interface Plan {
  readonly id: string;
  readonly once: boolean;
  readonly used: number;
}

/** All planned faults, as a snapshot saves them. */
export interface PlannedState<P extends Plan> {
  readonly planned: readonly P[];
  readonly usedUp: readonly P[];
}

/** How many used-up faults to keep. */
const MAX_USED_UP = 100;

/** The planned faults of requests, or of deliveries. */
export interface PlannedFaults<P> {
  /** The planned faults, in the order of planning. A fault planned with `once` is removed when it is used. */
  readonly planned: readonly P[];
  /**
   * Removes a planned fault, and returns whether it was still planned.
   *
   * @param id The id that `once()` or `always()` returned.
   * @example
   * ```ts
   * const outage = mock.faults.always('*', { status: 503 });
   * mock.faults.remove(outage);
   * ```
   */
  remove(id: string): boolean;
  /** Removes all planned faults. */
  clear(): void;
}

/** The list of planned faults, in the order of planning: the base class for faults of requests and of deliveries. */
export class FaultList<P extends Plan> implements PlannedFaults<P> {
  #state: PlannedState<P> = { planned: [], usedUp: [] };
  #count = 0;

  get planned(): readonly P[] {
    return this.#state.planned;
  }

  /** The latest faults that were planned with `once` and have been used. */
  get usedUp(): readonly P[] {
    return this.#state.usedUp;
  }

  remove(id: string): boolean {
    throwIfInvalid(isString('id', id));
    const before = this.planned.length;
    this.change((plan) => (plan.id === id ? [] : plan));
    return this.planned.length < before;
  }

  clear(): void {
    this.#state = { planned: [], usedUp: [] };
  }

  save(): PlannedState<P> {
    return this.#state;
  }

  load(state: PlannedState<P>): void {
    this.#state = state;
  }

  /** Adds a fault, and returns its id. */
  protected append(kind: string, plan: (id: string) => P): string {
    this.#count += 1;
    const id = `${kind}_${this.#count}`;
    this.#state = { ...this.#state, planned: [...this.planned, plan(id)] };
    return id;
  }

  /** Replaces or removes faults. */
  protected change(to: (plan: P) => P | readonly P[]): void {
    this.#state = { ...this.#state, planned: this.planned.flatMap(to) };
  }

  /** Counts a use of a fault. */
  protected countUse(id: string): void {
    this.change((plan) => (plan.id === id ? { ...plan, used: plan.used + 1 } : plan));
  }

  /** Removes a used fault if it was planned with `once`. */
  protected end(id: string): void {
    const ended = this.planned.find((plan) => plan.id === id && plan.once);
    if (ended !== undefined) {
      this.remove(id);
      this.#state = { ...this.#state, usedUp: [...this.usedUp, ended].slice(-MAX_USED_UP) };
    }
  }

  /** Sorts the faults planned with `once` before all others. */
  protected onceFirst(plans: readonly P[]): readonly P[] {
    return plans.toSorted((a, b) => Number(b.once) - Number(a.once));
  }
}
