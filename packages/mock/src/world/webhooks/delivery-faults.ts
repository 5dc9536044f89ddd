import { isBoolean, objectOf, optionProblem } from '@confab/internal';
import type { Check, Checks } from '../../errors/check.ts';
import {
  checkObject,
  checkThat,
  integerBetween,
  isText,
  isWait,
  throwIfInvalid,
  unknownWord,
} from '../../errors/check.ts';
import { invalidArgument } from '../../errors/mock-error.ts';
import { PlannedFaults } from '../faults/planned-faults.ts';
import { contains, MATCH_CHECKS } from '../matching/request-match.ts';

/** The deliveries that a fault strikes. Every part is optional. */
export interface DeliveryMatch {
  /** Only deliveries of this event. */
  readonly event?: string | undefined;
  /** Only deliveries to the endpoint with this id. */
  readonly endpointId?: string | undefined;
  /**
   * Only deliveries of events with this data. It may have more fields than an object here, at every level; arrays and
   * other values must be equal.
   */
  readonly data?: unknown;
}

/** What goes wrong with the deliveries of an event. At least one field other than `match` is required. */
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
  /**
   * `'wrong'` signs another body in each attempt, as a forger without the secret would.
   * @default the right signature
   */
  readonly signature?: 'wrong' | undefined;
  /**
   * The deliveries that it strikes; others neither get it nor use it up.
   * @default all deliveries of an event
   */
  readonly match?: DeliveryMatch | undefined;
}

/** A delivery fault to plan, as requests write it. */
export interface DeliveryFaultPlan extends DeliveryFault {
  /**
   * Whether only the next event that matches gets it.
   * @default true
   */
  readonly once?: boolean | undefined;
}

/** A delivery fault that is planned, as {@link Mock.webhooks} lists it. */
export interface PlannedDeliveryFault {
  /** Its id, for `deliveryFaults.remove()`. */
  readonly id: string;
  /** What goes wrong. */
  readonly fault: DeliveryFault;
  /** Whether only the next event that matches gets it. */
  readonly once: boolean;
  /** How many events got it so far. */
  readonly used: number;
}

const EFFECTS: Checks<Omit<DeliveryFault, 'match'>> = {
  copies: integerBetween(0, 100),
  delayMs: isWait,
  signature: checkThat((value) => value === 'wrong', '"wrong"'),
};

/** The delivery faults that a test has planned. */
export class DeliveryFaults extends PlannedFaults<PlannedDeliveryFault> {
  readonly #checks: Checks<DeliveryFault>;
  readonly #endpointIds: () => readonly string[];

  /** @param endpointIds Returns the ids of the present endpoints. */
  constructor(endpointIds: () => readonly string[], isEventName: Check) {
    super();
    this.#endpointIds = endpointIds;
    const match = { event: isEventName, endpointId: isText, data: MATCH_CHECKS.body };
    this.#checks = { ...EFFECTS, match: objectOf<DeliveryMatch>('an object', match) };
  }

  /**
   * PlannedFaults a fault for the next event that has an endpoint, and that the fault matches. Call it twice to affect the next two
   * events.
   *
   * @returns The id of the planned fault, for `remove()`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
   * @example
   * ```ts
   * mock.webhooks.deliveryFaults.once({ copies: 2 }); // delivered twice
   * mock.webhooks.deliveryFaults.once({ delayMs: 5_000 }); // late
   * mock.webhooks.deliveryFaults.once({ signature: 'wrong', match: { event: 'message.created' } }); // forged
   * ```
   */
  once(fault: DeliveryFault): string {
    return this.plan(fault, true);
  }

  /**
   * PlannedFaults a fault for every event that it matches, until it is removed. Of those that match a delivery, the first one
   * strikes; those planned with `once` come first.
   *
   * @returns The id of the planned fault, for `remove()`.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
   * @example
   * ```ts
   * mock.webhooks.deliveryFaults.always({ copies: 0, match: { endpointId: 'endpoint_1' } }); // it gets nothing
   * ```
   */
  always(fault: DeliveryFault): string {
    return this.plan(fault, false);
  }

  /** `once()` or `always()`. */
  plan(given: DeliveryFault, once: boolean): string {
    checkObject(`deliveryFaults.${once ? 'once' : 'always'}()`, given, '{ copies: 2 }');
    throwIfInvalid(optionProblem('delivery fault field', given, this.#checks) ?? isBoolean('once', once));
    const fault: DeliveryFault = JSON.parse(JSON.stringify(given));
    const effects = Object.keys(EFFECTS);
    if (!effects.some((name) => Object.hasOwn(fault, name))) {
      throw invalidArgument(`A delivery fault must have at least one of \`${effects.join('`, `')}\`.`);
    }
    const { endpointId } = fault.match ?? {};
    throwIfInvalid(endpointId && unknownWord('endpoint', endpointId, this.#endpointIds()));
    return this.add('delivery_fault', (id) => ({ id, fault, once, used: 0 }));
  }

  /** Returns the fault of each present endpoint, in their order, for an event, and counts it. */
  take(body: string): readonly (DeliveryFault | undefined)[] {
    if (this.planned.length === 0) {
      return [];
    }
    const event: object = JSON.parse(body);
    const onceFirst = this.onceFirst(this.planned);
    const found = this.#endpointIds().map((endpointId) =>
      onceFirst.find(({ fault }) => contains({ ...event, endpointId }, fault.match ?? {})),
    );
    for (const id of new Set(found.flatMap((planned) => planned?.id ?? []))) {
      this.count(id);
      this.end(id);
    }
    return found.map((planned) => planned?.fault);
  }
}
