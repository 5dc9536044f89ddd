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

/** The matchers of `expect(mock)`. */
export interface MockMatchers<R> {
  /**
   * Passes if the mock received at least one request of this operation, with these values among its path parameters, query
   * and body.
   *
   * @param values Values by name, or an asymmetric matcher for all of them.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when `values` is anything else, the operation is unknown, or `expect` was
   * not called with a mock.
   * @example
   * ```ts
   * expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
   * expect(mock).toHaveReceived('leads.create', expect.not.objectContaining({ notes: expect.anything() }));
   * expect(mock).not.toHaveReceived('conversations.sendMessage');
   * ```
   */
  toHaveReceived(operation: OperationId, values?: Wanted): R;
  /**
   * Passes if at least one event of this name was delivered, with these values among its data.
   *
   * @param values Values by name, or an asymmetric matcher for the data.
   * @throws {@link MockError} `INVALID_ARGUMENT`, when `values` is anything else, or `expect` was not called with a mock.
   * @example
   * ```ts
   * await mock.webhooks.flush();
   * expect(mock).toHaveDelivered('message.created', { body: 'Hello' });
   * ```
   */
  toHaveDelivered(event: string, values?: Wanted): R;
}

declare global {
  namespace Chai {
    // The base of vitest's assertions. Its `Matchers` would be the usual place, but has one type parameter in vitest 4 and
    // two in 5, and declarations merge only with the same parameters.
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
