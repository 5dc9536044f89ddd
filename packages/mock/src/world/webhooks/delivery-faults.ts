import { optionProblem } from '@confab/internal';
import type { Checks } from '../../errors/check.ts';
import { checkObject, integerFrom, isWait, refuse } from '../../errors/check.ts';

/** A fault in the delivery of one event. */
export interface DeliveryFault {
  /**
   * How many times the event is delivered to each endpoint, 100 at most; 0 loses it.
   * @default 1
   */
  readonly copies?: number | undefined;
  /**
   * Milliseconds on the mock's clock before its first attempt, so that later events overtake it.
   * @default 0
   */
  readonly delayMs?: number | undefined;
}

const CHECKS: Checks<DeliveryFault> = { copies: integerFrom(0, 100), delayMs: isWait };

/** The delivery faults that a test has planned, each for one event. */
export class DeliveryFaults {
  #planned: DeliveryFault[] = [];

  /**
   * Plans a fault for the next event that has an endpoint. Call it twice to affect the next two events.
   *
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
   * @example
   * ```ts
   * mock.webhooks.deliveryFaults.once({ copies: 2 }); // delivered twice
   * mock.webhooks.deliveryFaults.once({ delayMs: 5_000 }); // late
   * ```
   */
  once(fault: DeliveryFault): void {
    checkObject('deliveryFaults.once()', fault, '{ copies: 2 }');
    refuse(optionProblem('delivery fault field', fault, CHECKS));
    this.#planned.push({ ...fault });
  }

  /** Removes all planned delivery faults. */
  clear(): void {
    this.#planned = [];
  }

  /** Removes and returns the fault for the next event. */
  take(): { readonly copies: number; readonly delayMs: number } {
    const { copies = 1, delayMs = 0 } = this.#planned.shift() ?? {};
    return { copies, delayMs };
  }

  save(): readonly DeliveryFault[] {
    return [...this.#planned];
  }

  load(planned: readonly DeliveryFault[]): void {
    this.#planned = [...planned];
  }
}
