import type { OperationId } from '@confab/client/contract';
import type { MatcherState } from 'vitest';
import { checkOperation } from '../checks/check-operation.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';
import type { Mock } from '../mock.ts';
import type { Verdict } from './judge.ts';
import { judge } from './judge.ts';
import { undelivered } from './undelivered.ts';
import type { Wanted } from './wanted.ts';
import { checkWanted } from './wanted.ts';

/** What `expect(mock)` can say of a mock. */
export interface MockMatchers<R> {
  /**
   * At least one request of this operation came in, with these values among its parameters, query and body.
   *
   * @param values Values by name, or one asymmetric matcher for all of them.
   * @throws {TypeError} For other values, an unknown operation, or if `expect` was not given a mock.
   * @example
   * expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
   * expect(mock).toHaveReceived('leads.create', expect.not.objectContaining({ notes: expect.anything() }));
   * expect(mock).not.toHaveReceived('conversations.sendMessage');
   */
  toHaveReceived(operation: OperationId, values?: Wanted): R;
  /**
   * At least one event of this name was taken by a receiver, with these values among its data.
   *
   * @param values Values by name, or one asymmetric matcher for the data.
   * @throws {TypeError} For other values, or if `expect` was not given a mock.
   * @example
   * await mock.webhooks.flush();
   * expect(mock).toHaveDelivered('message.created', { body: 'Hello' });
   */
  toHaveDelivered(event: string, values?: Wanted): R;
}

declare global {
  namespace Chai {
    // What vitest's own assertions are made from. Its `Matchers` would be the place, but has one parameter in vitest 4
    // and two in 5, and types merge only if they have the same.
    interface Assertion extends MockMatchers<void> {}
  }
}

/**
 * Checks by its properties that a value is a mock: a test may have two copies of this package.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a mock.
 */
const checkMock = (matcher: string, received: Partial<Mock> | null | undefined): void => {
  if (typeof received?.requests?.of === 'function' && Array.isArray(received.webhooks?.deliveries)) {
    return;
  }
  throw invalidArgument(`${matcher}() needs expect(mock) with a mock that createMock() returned`);
};

const bodyFields = (body: unknown): object => (typeof body === 'object' && body !== null ? body : {});

export const matchers = {
  toHaveReceived(this: MatcherState, mock: Mock, operation: OperationId, wanted: Wanted = {}): Verdict {
    checkMock('toHaveReceived', mock);
    checkWanted(this, 'toHaveReceived', wanted);
    checkOperation(operation);
    const candidates = mock.requests
      .of(operation)
      .map(({ params, query, body }) => ({ ...params, ...query, ...bodyFields(body) }));
    return judge(this, { what: `request of ${operation}`, candidates, wanted });
  },

  toHaveDelivered(this: MatcherState, mock: Mock, event: string, wanted: Wanted = {}): Verdict {
    checkMock('toHaveDelivered', mock);
    checkWanted(this, 'toHaveDelivered', wanted);
    const { deliveries } = mock.webhooks;
    const candidates = deliveries
      .filter((delivery) => delivery.event === event && delivery.state === 'delivered')
      .map(({ data }) => data);
    const hints = () => undelivered(deliveries, event);
    return judge(this, { what: `delivery of ${event}`, candidates, wanted, hints });
  },
};
