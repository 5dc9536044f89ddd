import type { OperationId } from '@confab/client/contract';
import { checkNames, checkOperation, counted, refuse, unknownWord } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import type { RemoteParts } from '../remote/remote-mock.ts';
import { checkFields } from '../world/matching/request-match.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import { fieldsByEvent } from '../world/webhooks/delivery.ts';
import type { RunnerState } from './runner.ts';
import { equals, isAsymmetric, print } from './runner.ts';

/** What the matchers look into: a mock in this process, or the twin of one in another. */
export type AnyMock = Mock | RemoteParts;

/** The expected values of a request or an event: values by name, or a matcher such as `expect.objectContaining(…)`. */
export type Wanted =
  | Readonly<Record<string, unknown>>
  | {
      /** Returns whether a value matches. */
      asymmetricMatch(other: unknown): boolean;
    };

/** The result of a matcher. */
export interface Verdict {
  /** Whether anything matches. */
  pass: boolean;
  /** Describes the failure, of the assertion or of its negation. */
  message: () => string;
}

/**
 * Checks by its properties that a value is a mock: a test may have two copies of this package.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a mock.
 */
const toMock = (matcher: string, received: unknown): AnyMock => {
  const given = received as Partial<AnyMock> | null | undefined;
  if (typeof given?.requests?.of === 'function') {
    return given as AnyMock;
  }
  throw invalidArgument(
    `${matcher}() needs expect(mock) with a mock that createMock() or \`await connectMock()\` returned`,
  );
};

/**
 * Refuses values without names: a string, an array or a promise would match everything or nothing.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is neither an object nor an asymmetric matcher.
 */
const checkWanted = (state: RunnerState, matcher: string, wanted: unknown): void => {
  // Not by prototype: a test may run in another realm.
  if (!isAsymmetric(wanted) && Object.prototype.toString.call(wanted) !== '[object Object]') {
    throw invalidArgument(
      `The values for ${matcher}() must be an object, such as { phone: '+5511987654321' }, or an asymmetric matcher, such as expect.objectContaining(…), got ${print(state, wanted, 1)}`,
    );
  }
};

/** Continues with a value of a mock in this process at once, and with that of another when its promise is fulfilled. */
const andThen = <T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> =>
  // Not by `instanceof`: a test may run in another realm.
  typeof value === 'object' && value !== null && 'then' in value ? value.then(next) : next(value as T);

/** A value of a mock, which the twin of one has a function for. */
const read = <T>(given: T | (() => Promise<T>)): T | Promise<T> =>
  typeof given === 'function' ? (given as () => Promise<T>)() : given;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a request or an event has the expected values. */
const fits = (state: RunnerState, value: unknown, wanted: Wanted): boolean =>
  isAsymmetric(wanted)
    ? equals(state, value, wanted)
    : isObject(value) &&
      Object.entries(wanted).every(
        ([name, part]) => Object.hasOwn(value, name) && equals(state, Reflect.get(value, name), part),
      );

/** How many candidates a message shows. */
const MAX_CANDIDATES = 5;

/** Describes what a failed assertion has found. */
const found = (count: number, fitting: boolean): string => {
  if (count === 0) {
    return 'there was none';
  }
  if (count === 1) {
    return `there was one${fitting ? '' : ', which does not fit'}:`;
  }
  return `there were ${count}${fitting ? '' : ', none of which fits'}:`;
};

/**
 * Decides whether any candidate matches, and describes the candidates in the message.
 *
 * @param what What is looked for: `request of leads.create`.
 * @param hints Returns further explanations of the verdict, one per line.
 */
const judge = (
  state: RunnerState,
  what: string,
  candidates: readonly unknown[],
  wanted: Wanted,
  hints: (pass: boolean) => readonly string[],
): Verdict => {
  const matching = candidates.filter((candidate) => fits(state, candidate, wanted));
  const pass = matching.length > 0;
  return {
    pass,
    message: () => {
      const anything = !isAsymmetric(wanted) && Object.keys(wanted).length === 0;
      const values = anything ? '' : ` with ${print(state, wanted)}`;
      const shown = pass ? matching : candidates;
      const more = shown.length - MAX_CANDIDATES;
      return [
        `Expected ${pass ? 'no' : 'a'} ${what}${values}; ${found(shown.length, pass)}`,
        ...shown.slice(-MAX_CANDIDATES).map((candidate) => print(state, candidate)),
        ...(more > 0 ? [`and ${more} before these`] : []),
        ...hints(pass),
      ].join('\n  ');
    },
  };
};

const FLUSH = 'await mock.webhooks.flush() first';

/** Names what came instead, if anything did. */
const instead = (what: string, names: readonly string[]): string[] => {
  const different = [...new Set(names)];
  return different.length === 0 ? [] : [`other ${what}: ${different.join(', ')}`];
};

/**
 * Refuses events and fields that nothing sends, with which `not.toHaveDelivered` would pass for the wrong reason.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when neither the mock by itself nor a test sends them.
 */
const checkEvent = (
  webhooks: AnyMock['webhooks'],
  event: string,
  wanted: Wanted,
  sent: readonly Delivery[],
): void => {
  // Only a mock in this process knows the names of its events.
  const { eventFields } = webhooks as { eventFields?: ReturnType<typeof fieldsByEvent> };
  const own = eventFields ?? fieldsByEvent({});
  if (eventFields !== undefined) {
    const known = new Set([...own.keys(), ...sent.map((delivery) => delivery.event)]);
    refuse(
      unknownWord(
        'event',
        event,
        [...known].filter((name) => name !== undefined),
      ),
    );
  }
  const data = sent.filter((delivery) => delivery.event === event).map((delivery) => delivery.data);
  const fields = [...(own.get(event) ?? []), ...data.filter(isObject).flatMap(Object.keys)];
  if (fields.length > 0 && !isAsymmetric(wanted)) {
    checkNames(`field of ${event}`, wanted, [...new Set(fields)]);
  }
};

/** Explains why an event may not have been delivered, one reason per line. */
const undelivered = (deliveries: readonly Delivery[], event: string): string[] => {
  const named = deliveries.filter((delivery) => delivery.event === event);
  const pending = named.filter(({ state }) => state === 'pending');
  const failed = named.filter(({ state }) => state === 'failed');
  const attempts = failed.at(-1)?.attempts ?? [];
  const { status, error } = attempts.at(-1) ?? {};
  const outcome = `${counted(attempts.length, 'attempt')}: ${status === undefined ? error : `status ${status}`}`;
  const others = deliveries.map((delivery) => delivery.event).filter((name) => name !== event);
  return [
    ...(pending.length > 0 ? [`${pending.length} pending: ${FLUSH}`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed, the last one after ${outcome}`] : []),
    ...instead('events', others),
  ];
};

/**
 * The matchers of {@link MockMatchers}, for the `expect` of any runner that has `expect.extend`. With a mock from
 * `connectMock()` they are asynchronous.
 *
 * @example
 * ```ts
 * import { matchers } from '@confab/mock/matchers';
 *
 * expect.extend(matchers);
 * expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
 * ```
 */
export const matchers = {
  /** See {@link MockMatchers.toHaveReceived}. */
  toHaveReceived(
    this: RunnerState,
    received: unknown,
    operation: OperationId,
    wanted: Wanted = {},
  ): Verdict | Promise<Verdict> {
    const mock = toMock('toHaveReceived', received);
    checkWanted(this, 'toHaveReceived', wanted);
    checkOperation(operation);
    return andThen(read(mock.requests.all), (all) => {
      const requests = all.filter((request) => request.operation === operation);
      const candidates = requests.map(({ params, query, body }) => ({
        ...params,
        ...query,
        ...(isObject(body) && body),
      }));
      if (!isAsymmetric(wanted)) {
        checkFields(operation, ['params', 'query', 'body'], wanted, candidates);
      }
      const others = all.map((request) => request.operation ?? `${request.method} ${request.path}`);
      return judge(this, `request of ${operation}`, candidates, wanted, () =>
        requests.length > 0 ? [] : instead('requests', others),
      );
    });
  },

  /** See {@link MockMatchers.toHaveDelivered}. */
  toHaveDelivered(
    this: RunnerState,
    received: unknown,
    event: string,
    wanted: Wanted = {},
  ): Verdict | Promise<Verdict> {
    const { webhooks } = toMock('toHaveDelivered', received);
    checkWanted(this, 'toHaveDelivered', wanted);
    const judgeAll = (deliveries: readonly Delivery[], endpoints: readonly unknown[]): Verdict => {
      if (deliveries.length + endpoints.length === 0) {
        throw invalidArgument(
          'toHaveDelivered() needs an endpoint, because without one no event is sent: add it with mock.webhooks.add()',
        );
      }
      checkEvent(webhooks, event, wanted, deliveries);
      const dataOf = (state: Delivery['state']) =>
        deliveries.filter((each) => each.event === event && each.state === state).map(({ data }) => data);
      const verdict = judge(this, `delivery of ${event}`, dataOf('delivered'), wanted, (pass) =>
        pass ? [] : undelivered(deliveries, event),
      );
      if (this.isNot !== true || verdict.pass) {
        return verdict;
      }
      // What is pending may be delivered yet.
      return judge(this, `pending delivery of ${event}`, dataOf('pending'), wanted, () => [FLUSH]);
    };
    return andThen(read(webhooks.deliveries), (deliveries) =>
      andThen(read<readonly unknown[]>(webhooks.endpoints), (endpoints) => judgeAll(deliveries, endpoints)),
    );
  },
};
