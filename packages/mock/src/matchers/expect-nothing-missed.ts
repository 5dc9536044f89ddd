import { isBoolean, optionProblem } from '@confab/internal';
import type { Checks } from '../errors/check.ts';
import { formatValue, throwIfInvalid } from '../errors/check.ts';
import { MockError } from '../errors/mock-error.ts';
import { describeUnknownPath } from '../request/route.ts';
import type { PlannedFault } from '../world/faults/fault.ts';
import type { PlannedDeliveryFault } from '../world/webhooks/delivery-faults.ts';
import type { AnyMock, Asserted } from './any-mock.ts';
import { andThen, read, toMock } from './any-mock.ts';

/** The reasons for which a test fails although all of its assertions hold. */
export interface MissedOptions {
  /**
   * Whether the test fails because of a request with a method and path that no operation has.
   * @default true
   */
  readonly unknownRequests?: boolean | undefined;
  /**
   * Whether the test fails because a fault that was planned once, for requests or deliveries, was never used. Faults in
   * `data` and faults with a `probability` do not count.
   * @default true
   */
  readonly unusedFaults?: boolean | undefined;
}

const CHECKS: Checks<MissedOptions> = { unknownRequests: isBoolean, unusedFaults: isBoolean };

/** A planned fault for requests or deliveries. A remote mock has null in place of a function. */
type Planned = Pick<PlannedDeliveryFault, 'once' | 'used'> & {
  readonly fault: PlannedFault['fault'] | PlannedDeliveryFault['fault'] | null;
  readonly operation?: PlannedFault['operation'];
  readonly fromData?: boolean;
};

const isUnused = ({ once, used, fromData = false, fault }: Planned): boolean =>
  once && used === 0 && !fromData && (Reflect.get(Object(fault), 'probability') ?? 1) === 1;

/** The maximum length of a fault in a message, in characters. */
const MAX_SHOWN_LENGTH = 200;

/** The maximum number of lines in a message. */
const MAX_LINES = 10;

/**
 * Fails if there is a line. The message contains each different line once, with its number of occurrences.
 *
 * @throws A {@link MockError} `VERIFICATION_FAILED`, when there is a line.
 */
export const failOnMissed = (lines: readonly string[]): void => {
  const different = [...new Set(lines)].map((line) => {
    const times = lines.filter((other) => other === line).length;
    return times === 1 ? line : `${line} (${times} times)`;
  });
  if (different.length > MAX_LINES) {
    different.splice(MAX_LINES, different.length, `and ${different.length - MAX_LINES} more`);
  }
  if (different.length > 0) {
    throw new MockError('VERIFICATION_FAILED', `The test missed something:\n  ${different.join('\n  ')}`);
  }
};

/** The call that planned a fault, for messages. */
const callOf = ({ operation, fault }: Planned): string => {
  const text =
    typeof fault === 'object' && fault !== null ? formatValue(fault, MAX_SHOWN_LENGTH) : 'a function';
  return operation === undefined
    ? `webhooks.deliveryFaults.once(${text})`
    : `faults.once('${operation}', ${text})`;
};

/** Returns a line for each request and fault that a test has missed; a promise for a remote mock. */
export const missedBy = (mock: AnyMock, options: MissedOptions): string[] | Promise<string[]> => {
  throwIfInvalid(optionProblem('expectNothingMissed() option', options, CHECKS));
  const { unknownRequests = true, unusedFaults = true } = options;
  const { requests, faults, webhooks } = mock;
  const unknown = andThen(read(requests.all), (all) =>
    all
      .filter(({ operation }) => unknownRequests && operation === undefined)
      .map(({ method, path }) => describeUnknownPath(method, path)),
  );
  const unused = (planned: readonly Planned[]) =>
    planned.filter((each) => unusedFaults && isUnused(each)).map((each) => `${callOf(each)} was never used`);
  return andThen(unknown, (lines) =>
    andThen(read<readonly Planned[]>(faults.planned), (planned) =>
      andThen(read<readonly Planned[]>(webhooks.deliveryFaults.planned), (ofDeliveries) => [
        ...lines,
        ...unused([...planned, ...ofDeliveries]),
      ]),
    ),
  );
};

/**
 * Fails a test if the app called a path or method that no operation has, or if a fault that the test planned once was
 * never used. Call it at the end of a test; await it for a mock from `connectMock()`. The fixtures of
 * `@confab/mock/vitest` and `@confab/mock/playwright` call it for you.
 *
 * It reads the log and the planned faults, so requests and faults that `reset()`, `restore()`, `requests.clear()` or
 * `faults.clear()` has removed do not count.
 *
 * @throws A {@link MockError} `VERIFICATION_FAILED`, when the test has missed something; its message names the requests
 * and the faults.
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is not called with a mock, or an option is unknown or
 * invalid.
 * @example
 * ```ts
 * await signUp(confab, '+5511987654322');
 * expectNothingMissed(mock);
 * ```
 */
export const expectNothingMissed = <M extends AnyMock>(
  mock: M,
  options: MissedOptions = {},
): Asserted<void, M> => {
  const checked = toMock('expectNothingMissed() must be called with', mock);
  return andThen(missedBy(checked, options), failOnMissed) as Asserted<void, M>;
};
