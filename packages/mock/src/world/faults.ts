import { type OperationId, operations } from '@confab/client/contract';
import type { Random } from './random.ts';

/** What goes wrong with a request. */
export interface Fault {
  /** Answered instead of doing anything. */
  readonly status?: number;
  /** Code in the error body. */
  readonly code?: string;
  /** Added to the answer, or put in place of what it has. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds on the mock's clock before anything else happens. */
  readonly delayMs?: number;
  /**
   * `'error'`: the connection breaks before anything is done. `'hang'`: no answer ever comes.
   * `'truncate'`: the request is carried out, but the answer breaks off in the middle.
   */
  readonly network?: 'error' | 'hang' | 'truncate';
  /** Sent as the body: a string as it is, even if it is not JSON; anything else as JSON. */
  readonly body?: unknown;
  /**
   * How likely it strikes, from 0 to 1, decided by the seed.
   * @default 1
   */
  readonly probability?: number;
}

/** An operation, or every one. */
export type FaultTarget = OperationId | '*';

interface Planned {
  readonly target: FaultTarget;
  readonly fault: Fault;
  readonly once: boolean;
}

/** All planned faults at one moment. */
export type FaultsState = readonly Planned[];

const check = (target: string, fault: Fault): void => {
  if (target !== '*' && !Object.hasOwn(operations, target))
    throw new TypeError(
      `No operation is called ${JSON.stringify(target)}; there are ${Object.keys(operations).join(', ')} and *`,
    );
  const { status, delayMs = 0, probability = 1 } = fault;
  if (status !== undefined && !(Number.isInteger(status) && status >= 200 && status <= 599))
    throw new RangeError(`The status of a fault is a whole number from 200 to 599, not ${status}`);
  if (!(delayMs >= 0)) throw new RangeError(`The delayMs of a fault is a number from 0 up, not ${delayMs}`);
  if (!(probability >= 0 && probability <= 1))
    throw new RangeError(`The probability of a fault is a number from 0 to 1, not ${probability}`);
};

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
   * @throws {TypeError | RangeError} For an unknown operation, or a value out of bounds.
   * @example
   * mock.faults.once('leads.create', { status: 503, headers: { 'retry-after': '2' } });
   */
  once(target: FaultTarget, fault: Fault): void {
    check(target, fault);
    this.#planned.push({ target, fault, once: true });
  }

  /**
   * Every request of an operation meets this fault, until `clear()`.
   *
   * @throws {TypeError | RangeError} For an unknown operation, or a value out of bounds.
   * @example
   * mock.faults.always('*', { network: 'error', probability: 0.1 });
   */
  always(target: FaultTarget, fault: Fault): void {
    check(target, fault);
    this.#planned.push({ target, fault, once: false });
  }

  /** Nothing goes wrong any more. */
  clear(): void {
    this.#planned = [];
  }

  /** The fault that a request of this operation meets: those for one request come first. */
  take(operation: OperationId): Fault | undefined {
    if (this.#planned.length === 0) return undefined;
    const aimed = this.#planned.filter(({ target }) => target === operation || target === '*');
    const struck = [...aimed.filter(({ once }) => once), ...aimed.filter(({ once }) => !once)].find(
      ({ fault: { probability = 1 } }) => probability === 1 || this.#random.next() < probability,
    );
    if (struck?.once) this.#planned.splice(this.#planned.indexOf(struck), 1);
    return struck?.fault;
  }

  save(): FaultsState {
    return [...this.#planned];
  }

  load(state: FaultsState): void {
    this.#planned = [...state];
  }
}
