import { isBoolean, objectOf, optionProblem, suggestNameOrSynonym } from '@confab/internal';
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
import type { PlannedFaults } from '../faults/fault-list.ts';
import { FaultList } from '../faults/fault-list.ts';
import { contains, MATCH_CHECKS } from '../matching/request-match.ts';

/** The deliveries that a fault applies to. Every part is optional. */
export interface DeliveryMatch {
  /** Only deliveries of this event. */
  readonly event?: string | undefined;
  /** Only deliveries to the endpoint with this id. */
  readonly endpointId?: string | undefined;
  /**
   * Only deliveries of events with this data. Objects in the data may have more fields than the objects here, at every
   * level. Arrays and other values must be equal.
   */
  readonly data?: unknown;
}

/** What goes wrong with the deliveries of an event. At least one field other than `match` is required. */
export interface DeliveryFault {
  /**
   * How many times the event is delivered to each endpoint, at most 100. With 0, it is lost.
   * @default 1
   */
  readonly copies?: number | undefined;
  /**
   * Milliseconds on the mock's clock before the first attempt, so that later events overtake this one.
   * @default 0
   */
  readonly delayMs?: number | undefined;
  /**
   * `'wrong'` gives every attempt the signature of a different body, like that of a forger without the secret.
   * @default the right signature
   */
  readonly signature?: 'wrong' | undefined;
  /**
   * The deliveries that the fault applies to. Other deliveries do not use it up.
   * @default all deliveries of an event
   */
  readonly match?: DeliveryMatch | undefined;
}

/** A delivery fault to plan, as control requests describe it. */
export interface DeliveryFaultPlan extends DeliveryFault {
  /**
   * Whether the fault applies only to the next event that matches.
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
  /** Whether the fault applies only to the next event that matches. */
  readonly once: boolean;
  /** How many events the fault was applied to. */
  readonly used: number;
}

const EFFECTS: Checks<Omit<DeliveryFault, 'match'>> = {
  copies: integerBetween(0, 100),
  delayMs: isWait,
  signature: checkThat((value) => value === 'wrong', '"wrong"'),
};

/** Suggests `copies` for what other mocks call it. */
const hint = (name: string, known: readonly string[]): string =>
  /^(?:duplicates?|times|repeat)$/i.test(name)
    ? 'Use `copies: 2` to deliver an event twice.'
    : suggestNameOrSynonym(name, known);

/** Plans what goes wrong with the delivery of events. */
export interface MockDeliveryFaults extends PlannedFaults<PlannedDeliveryFault> {
  /**
   * Plans a fault for the next event that matches and has an endpoint. Call it twice to plan one for each of the next two.
   *
   * @returns The id of the planned fault, for `remove()`.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
   * @example
   * ```ts
   * mock.webhooks.deliveryFaults.once({ copies: 2 }); // delivered twice
   * mock.webhooks.deliveryFaults.once({ delayMs: 5_000 }); // late
   * mock.webhooks.deliveryFaults.once({ signature: 'wrong', match: { event: 'message.created' } }); // forged
   * ```
   */
  once(fault: DeliveryFault): string;
  /**
   * Plans a fault for every event that matches, until it is removed. If several faults match a delivery, the one planned
   * first applies to it; faults planned with `once` come before all others.
   *
   * @returns The id of the planned fault, for `remove()`.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when a field is unknown or its value invalid.
   * @example
   * ```ts
   * mock.webhooks.deliveryFaults.always({ copies: 0, match: { endpointId: 'endpoint_1' } }); // loses all its events
   * ```
   */
  always(fault: DeliveryFault): string;
}

/** The planned faults of deliveries. */
export class DeliveryFaults extends FaultList<PlannedDeliveryFault> implements MockDeliveryFaults {
  readonly #checks: Checks<DeliveryFault>;
  readonly #endpointIds: () => readonly string[];

  /** @param endpointIds Returns the ids of the present endpoints. */
  constructor(endpointIds: () => readonly string[], isEventName: Check) {
    super();
    this.#endpointIds = endpointIds;
    const match = { event: isEventName, endpointId: isText, data: MATCH_CHECKS.body };
    this.#checks = { ...EFFECTS, match: objectOf<DeliveryMatch>('an object', match) };
  }

  once(fault: DeliveryFault): string {
    return this.plan(fault, true);
  }

  always(fault: DeliveryFault): string {
    return this.plan(fault, false);
  }

  /** Does what `once()` and `always()` do. */
  plan(given: DeliveryFault, once: boolean): string {
    checkObject(`deliveryFaults.${once ? 'once' : 'always'}()`, given, '{ copies: 2 }');
    throwIfInvalid(
      optionProblem('delivery fault field', given, this.#checks, { hint }) ?? isBoolean('once', once),
    );
    const fault: DeliveryFault = JSON.parse(JSON.stringify(given));
    const effects = Object.keys(EFFECTS);
    if (!effects.some((name) => Object.hasOwn(fault, name))) {
      throw invalidArgument(`A delivery fault must have at least one of \`${effects.join('`, `')}\`.`);
    }
    const { endpointId } = fault.match ?? {};
    throwIfInvalid(endpointId && unknownWord('endpoint', endpointId, this.#endpointIds()));
    return this.append('delivery_fault', (id) => ({ id, fault, once, used: 0 }));
  }

  /** Returns the fault of an event for each present endpoint, in the order of the endpoints, and counts their uses. */
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
      this.countUse(id);
      this.end(id);
    }
    return found.map((planned) => planned?.fault);
  }
}
