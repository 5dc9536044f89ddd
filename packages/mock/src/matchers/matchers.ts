import type { OperationId } from '@confab/client/contract';
import { isObject, oneLine, optionProblem } from '@confab/internal';
import { checkNames, checkOperation, pluralize, throwIfInvalid, unknownWord } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { RequestExpectation } from '../world/log/pattern.ts';
import { isTimes } from '../world/log/pattern.ts';
import { checkFields } from '../world/matching/request-match.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import { closestEvent, fieldsByEvent } from '../world/webhooks/delivery.ts';
import type { PlannedDeliveryFault } from '../world/webhooks/delivery-faults.ts';
import type { AnyMock } from './any-mock.ts';
import { andThen, read, toMock } from './any-mock.ts';
import type { Search, Verdict, Wanted } from './judge.ts';
import { differences, judge } from './judge.ts';
import type { RunnerState } from './runner.ts';
import { isAsymmetric, print } from './runner.ts';

/** An operation, perhaps with the expected values of its request, for `toHaveReceivedInOrder`. */
export type OrderedRequest = OperationId | readonly [operation: OperationId, values?: Wanted];

/** The options of `toHaveReceived`. */
export interface ReceivedOptions {
  /**
   * How many requests must match: exactly this many, or a range: `{ min: 2 }`, `{ max: 3 }`, or both.
   * @default { min: 1 }
   */
  readonly times?: RequestExpectation['times'];
}

/**
 * Refuses values without names: a string, an array or a promise would match everything or nothing.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when it is neither an object nor an asymmetric matcher.
 */
const checkWanted = (state: RunnerState, matcher: string, wanted: unknown): void => {
  // Not by prototype: a test may run in another realm.
  if (!isAsymmetric(wanted) && Object.prototype.toString.call(wanted) !== '[object Object]') {
    throw invalidArgument(
      `The values for ${matcher}() must be an object, such as { phone: '+5511987654321' }, or an asymmetric matcher, such as expect.objectContaining(…), got ${print(state, wanted, 1)}`,
    );
  }
};

const FLUSH = 'await mock.webhooks.flush() first';

/** A line with the other requests or events that there were, if any. */
const others = (what: string, names: readonly string[]): string[] => {
  const different = [...new Set(names)];
  return different.length === 0 ? [] : [`other ${what}: ${different.join(', ')}`];
};

/**
 * Refuses events and fields that nothing sends, with which `not.toHaveDelivered` would pass for the wrong reason.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when neither the mock by itself nor a test sends them.
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
    throwIfInvalid(
      unknownWord(
        'event',
        event,
        [...known].filter((name) => name !== undefined),
        closestEvent,
      ),
    );
  }
  const data = sent.filter((delivery) => delivery.event === event).map((delivery) => delivery.data);
  const fields = [...(own.get(event) ?? []), ...data.filter(isObject).flatMap(Object.keys)];
  if (fields.length > 0 && !isAsymmetric(wanted)) {
    checkNames(`${event} field`, wanted, [...new Set(fields)]);
  }
};

/** Names the faults that may have lost an event. Only a mock in this process lists faults that are used up. */
const losses = ({ deliveryFaults }: AnyMock['webhooks'], event: string): string[] => {
  const { usedUp = [] } = deliveryFaults as { usedUp?: readonly PlannedDeliveryFault[] };
  const planned = typeof deliveryFaults.planned === 'function' ? [] : deliveryFaults.planned;
  return [...usedUp, ...planned]
    .filter(({ fault, used }) => fault.copies === 0 && used > 0 && (fault.match?.event ?? event) === event)
    .map(({ id, used }) => `lost: the fault ${id} with copies: 0 was applied to ${pluralize(used, 'event')}`);
};

/** How an attempt ended: `status 401 MISSING_SIGNATURE`, with the code that a receiver of `@confab/webhooks` sends. */
const outcomeOf = (attempt: Delivery['attempts'][number] | undefined): string | undefined => {
  const { status, error, refusal = '' } = attempt ?? {};
  const reason = /^\{"error":"(\w+)"\}$/.exec(refusal)?.[1] ?? oneLine(refusal);
  return status === undefined ? error : `status ${status} ${reason}`.trim();
};

/** Explains why an event may not have been delivered, one reason per line. */
const undelivered = (
  webhooks: AnyMock['webhooks'],
  deliveries: readonly Delivery[],
  event: string,
): string[] => {
  const named = deliveries.filter((delivery) => delivery.event === event);
  const pending = named.filter(({ state }) => state === 'pending');
  const failed = named.filter(({ state }) => state === 'failed');
  const attempts = failed.at(-1)?.attempts ?? [];
  const outcome = `${pluralize(attempts.length, 'attempt')}: ${outcomeOf(attempts.at(-1))}`;
  const otherEvents = deliveries.map((delivery) => delivery.event).filter((name) => name !== event);
  return [
    ...(pending.length > 0 ? [`${pending.length} pending: ${FLUSH}`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed, the last one after ${outcome}`] : []),
    ...losses(webhooks, event),
    ...others('events', otherEvents),
  ];
};

/** The parameters, query and body fields of a request, by name. */
const valuesOf = ({ params, query, body }: LoggedRequest): object => ({
  ...params,
  ...query,
  ...(isObject(body) && body),
});

/** An operation, and the expected values of its request. */
type Step = readonly [operation: OperationId, wanted: Wanted];

/** Builds the search for requests of an operation. Refuses names that neither the contract nor a request has. */
const searchFor = ([operation, wanted]: Step, all: readonly LoggedRequest[], from = 0): Search => {
  const sent = (requests: readonly LoggedRequest[]) =>
    requests.filter((request) => request.operation === operation).map(valuesOf);
  if (!isAsymmetric(wanted)) {
    checkFields(operation, ['params', 'query', 'body'], wanted, sent(all));
  }
  const since = all.slice(from);
  const candidates = sent(since);
  const names = since.map((request) => request.operation ?? `${request.method} ${request.path}`);
  const hints = () => {
    if (all.length === 0) {
      return ['the mock received no request at all: was the call awaited?'];
    }
    return candidates.length > 0 ? [] : others('requests', names);
  };
  return { noun: 'request', name: operation, candidates, wanted, hints };
};

/** Checks the steps of an order, and gives each one its values. */
const toSteps = (state: RunnerState, steps: readonly OrderedRequest[]): readonly Step[] => {
  if (!Array.isArray(steps) || steps.length === 0) {
    throw invalidArgument(
      `toHaveReceivedInOrder() must be called with an array of operations, such as ['leads.create', ['leads.update', { status: 'converted' }]], got ${print(state, steps, 1)}`,
    );
  }
  return steps.map((step) => {
    const [operation, wanted = {}] = typeof step === 'string' ? [step] : step;
    checkOperation(operation);
    checkWanted(state, 'toHaveReceivedInOrder', wanted);
    return [operation, wanted];
  });
};

/** Looks for the request of each step, after that of the step before. */
const judgeOrder = (state: RunnerState, steps: readonly Step[], all: readonly LoggedRequest[]): Verdict => {
  // All steps are checked first, so that no misspelled name goes unnoticed.
  steps.forEach((step) => void searchFor(step, all));
  let from = 0;
  for (const [stepIndex, [operation, wanted]] of steps.entries()) {
    const isStep = (request: LoggedRequest) =>
      request.operation === operation && differences(state, valuesOf(request), wanted).length === 0;
    const index = all.findIndex((request, position) => position >= from && isStep(request));
    if (index < 0) {
      const search = searchFor([operation, wanted], all, from);
      const before = steps[stepIndex - 1]?.[0];
      const name = before === undefined ? operation : `${operation} after ${before}`;
      const early = all.slice(0, from).some(isStep) ? [`one came earlier, before that ${before}`] : [];
      return judge(state, { ...search, name, hints: (pass) => [...early, ...search.hints(pass)] });
    }
    from = index + 1;
  }
  const order = steps.map(([operation]) => operation).join(', ');
  return { pass: true, message: () => `Expected the requests not to come in this order: ${order}` };
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
    options: ReceivedOptions = {},
  ): Verdict | Promise<Verdict> {
    const mock = toMock('toHaveReceived() needs expect(mock) with', received);
    checkWanted(this, 'toHaveReceived', wanted);
    checkOperation(operation);
    throwIfInvalid(optionProblem('toHaveReceived() option', options, { times: isTimes }));
    return andThen(read(mock.requests.all), (all) =>
      judge(this, { ...searchFor([operation, wanted], all), ...options }),
    );
  },

  /** See {@link MockMatchers.toHaveReceivedInOrder}. */
  toHaveReceivedInOrder(
    this: RunnerState,
    received: unknown,
    steps: readonly OrderedRequest[],
  ): Verdict | Promise<Verdict> {
    const mock = toMock('toHaveReceivedInOrder() needs expect(mock) with', received);
    const sought = toSteps(this, steps);
    return andThen(read(mock.requests.all), (all) => judgeOrder(this, sought, all));
  },

  /** See {@link MockMatchers.toHaveDelivered}. */
  toHaveDelivered(
    this: RunnerState,
    received: unknown,
    event: string,
    wanted: Wanted = {},
  ): Verdict | Promise<Verdict> {
    const { webhooks } = toMock('toHaveDelivered() needs expect(mock) with', received);
    checkWanted(this, 'toHaveDelivered', wanted);
    const judgeAll = (deliveries: readonly Delivery[], endpoints: readonly unknown[]): Verdict => {
      if (deliveries.length + endpoints.length === 0) {
        throw invalidArgument(
          'toHaveDelivered() needs an endpoint, because without one no event is sent: add it with mock.webhooks.add().',
        );
      }
      checkEvent(webhooks, event, wanted, deliveries);
      const dataOf = (state: Delivery['state']) =>
        deliveries.filter((each) => each.event === event && each.state === state).map(({ data }) => data);
      const verdict = judge(this, {
        noun: 'delivery',
        name: event,
        candidates: dataOf('delivered'),
        wanted,
        hints: (pass) => (pass ? [] : undelivered(webhooks, deliveries, event)),
      });
      if (this.isNot !== true || verdict.pass) {
        return verdict;
      }
      // A pending delivery may still arrive.
      return judge(this, {
        noun: 'pending delivery',
        name: event,
        candidates: dataOf('pending'),
        wanted,
        hints: () => [FLUSH],
      });
    };
    return andThen(read(webhooks.deliveries), (deliveries) =>
      andThen(read<readonly unknown[]>(webhooks.endpoints), (endpoints) => judgeAll(deliveries, endpoints)),
    );
  },
};
