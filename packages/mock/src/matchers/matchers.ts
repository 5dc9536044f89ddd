import type { OperationId } from '@confab/client/contract';
import { checkOperation } from '../checks/check-operation.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import { andThen, deliveriesOf, requestsOf, toMock } from './read-mock.ts';
import type { RunnerState } from './runner.ts';
import { undelivered } from './undelivered.ts';
import type { Wanted } from './wanted.ts';
import { checkWanted } from './wanted.ts';

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
