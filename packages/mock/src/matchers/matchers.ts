import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { checkNames, checkOperation } from '../errors/check.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import { andThen, deliveriesOf, requestsOf, toMock } from './read-mock.ts';
import type { RunnerState } from './runner.ts';
import { isAsymmetric } from './runner.ts';
import { undelivered } from './undelivered.ts';
import type { Wanted } from './wanted.ts';
import { checkWanted } from './wanted.ts';

/**
 * Refuses misspelled names, with which `not.toHaveReceived` would pass for the wrong reason.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when neither the contract nor any request has a name.
 */
const checkKnown = (operation: OperationId, wanted: Wanted, candidates: readonly object[]): void => {
  if (isAsymmetric(wanted)) {
    return;
  }
  const { params, query, body }: Operation = operations[operation];
  const known = [params, query, body].flatMap((schema) => Object.keys(schema?.shape ?? {}));
  checkNames(`field of ${operation}`, wanted, [...new Set([...known, ...candidates.flatMap(Object.keys)])]);
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
    return andThen(requestsOf(mock, operation), (requests) => {
      const candidates = requests.map(({ params, query, body }) => ({
        ...params,
        ...query,
        ...bodyFields(body),
      }));
      checkKnown(operation, wanted, candidates);
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
    const mock = toMock('toHaveDelivered', received);
    checkWanted(this, 'toHaveDelivered', wanted);
    return andThen(deliveriesOf(mock), (deliveries) => {
      const candidates = deliveries
        .filter((delivery) => delivery.event === event && delivery.state === 'delivered')
        .map(({ data }) => data);
      const hints = () => undelivered(deliveries, event);
      return judge(this, { what: `delivery of ${event}`, candidates, wanted, hints });
    });
  },
};
