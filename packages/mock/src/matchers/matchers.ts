import type { OperationId } from '@confab/client/contract';
import { checkOperation, counted } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import type { RemoteParts } from '../remote/remote-mock.ts';
import { checkFields } from '../world/log/pattern.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';
import type { Verdict, Wanted } from './judge.ts';
import { checkWanted, judge } from './judge.ts';
import type { RunnerState } from './runner.ts';
import { isAsymmetric } from './runner.ts';

/** What the matchers look into: a mock in this process, or the twin of one in another. */
export type AnyMock = Mock | RemoteParts;

/** A value of a mock in this process, or the promise of one from another. */
type Read<T> = T | Promise<T>;

/**
 * Checks by its properties that a value is a mock: a test may have two copies of this package.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a mock.
 */
const toMock = (matcher: string, received: unknown): AnyMock => {
  const given = received as Partial<AnyMock> | null | undefined;
  const deliveries = given?.webhooks?.deliveries;
  const isMock = typeof given?.requests?.of === 'function';
  if (isMock && (Array.isArray(deliveries) || typeof deliveries === 'function')) {
    return given as AnyMock;
  }
  throw invalidArgument(
    `${matcher}() needs expect(mock) with a mock that createMock() or \`await connectMock()\` returned`,
  );
};

/** Continues with a value at once, or when its promise is fulfilled. */
const andThen = <T, R>(value: Read<T>, next: (value: T) => R): Read<R> =>
  // Not by `instanceof`: a test may run in another realm.
  typeof value === 'object' && value !== null && 'then' in value ? value.then(next) : next(value as T);

const outcome = ({ attempts }: Delivery): string => {
  const last = attempts.at(-1);
  return `${counted(attempts.length, 'attempt')}: ${last?.status === undefined ? last?.error : `status ${last.status}`}`;
};

/** Explains why an event may not have been delivered, one reason per line. */
const undelivered = (deliveries: readonly Delivery[], event: string): string[] => {
  if (deliveries.length === 0) {
    return ['no event was sent to any endpoint; mock.webhooks.add() adds one'];
  }
  const named = deliveries.filter((delivery) => delivery.event === event);
  const pending = named.filter(({ state }) => state === 'pending');
  const failed = named.filter(({ state }) => state === 'failed');
  const last = failed.at(-1);
  const others = new Set(
    deliveries.filter((delivery) => delivery.event !== event).map((other) => other.event),
  );
  return [
    ...(pending.length > 0 ? [`${pending.length} pending: await mock.webhooks.flush() first`] : []),
    ...(last ? [`${failed.length} failed, the last one after ${outcome(last)}`] : []),
    ...(others.size > 0 ? [`other events: ${[...others].join(', ')}`] : []),
  ];
};

const bodyFields = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {});

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
    return andThen(mock.requests.of(operation), (requests) => {
      const candidates = requests.map(({ params, query, body }) => ({
        ...params,
        ...query,
        ...bodyFields(body),
      }));
      if (!isAsymmetric(wanted)) {
        checkFields(operation, ['params', 'query', 'body'], wanted, candidates);
      }
      return judge(this, { what: `request of ${operation}`, candidates, wanted });
    });
  },

  /** See {@link MockMatchers.toHaveDelivered}. */
  toHaveDelivered(
    this: RunnerState,
    received: unknown,
    event: string,
    wanted: Wanted = {},
  ): Verdict | Promise<Verdict> {
    const { deliveries: given } = toMock('toHaveDelivered', received).webhooks;
    checkWanted(this, 'toHaveDelivered', wanted);
    return andThen(typeof given === 'function' ? given() : given, (deliveries) => {
      const candidates = deliveries
        .filter((delivery) => delivery.event === event && delivery.state === 'delivered')
        .map(({ data }) => data);
      const hints = () => undelivered(deliveries, event);
      return judge(this, { what: `delivery of ${event}`, candidates, wanted, hints });
    });
  },
};
