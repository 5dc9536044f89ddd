import type { OpenEnum, OperationId } from '@confab/client/contract';
import type { MessageCreated } from '@confab/webhooks';
import type { Asserted } from './any-mock.ts';
import type { Wanted } from './judge.ts';
import type { OrderedRequest, ReceivedOptions } from './matchers.ts';

/**
 * The matchers of `expect(mock)`. Await them if the mock comes from `connectMock()`.
 *
 * @typeParam R The result of the runner's matchers.
 * @typeParam T The type of the argument of `expect`, if the runner's types have it.
 */
export interface MockMatchers<R, T = unknown> {
  /**
   * Passes if the mock received at least one request of this operation, with these values among its path parameters, query
   * and body.
   *
   * @param values Values by name, or an asymmetric matcher for all of them.
   * @param options How many requests must match.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when `values` or an option is invalid, when `values` has a name
   * that neither the contract nor any request has, when the operation is unknown, or when `expect` was not called with
   * a mock.
   * @example
   * ```ts
   * expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
   * expect(mock).toHaveReceived('leads.create', expect.not.objectContaining({ notes: expect.anything() }));
   * expect(mock).toHaveReceived('leads.update', { status: 'converted' }, { times: 2 });
   * expect(mock).not.toHaveReceived('conversations.sendMessage');
   * ```
   */
  toHaveReceived(operation: OperationId, values?: Wanted, options?: ReceivedOptions): Asserted<R, T>;
  /**
   * Passes if the mock received requests of these operations in this order. Other requests may come between them. Requests
   * that were in flight at the same time are in the order in which they ended.
   *
   * @param steps Operations, or pairs of an operation and the values of its request.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when there is no step, or a step is invalid.
   * @example
   * ```ts
   * expect(mock).toHaveReceivedInOrder(['leads.create', ['leads.update', { status: 'converted' }]]);
   * ```
   */
  toHaveReceivedInOrder(steps: readonly OrderedRequest[]): Asserted<R, T>;
  /**
   * Passes if at least one event of this name was delivered, with these values among its data. `.not` fails while such a
   * delivery is pending, so `flush()` first.
   *
   * @param event `message.created`, a name from the option `webhooks.events`, or a name that was passed to `emit()`.
   * @param values Values by name, or an asymmetric matcher for the data.
   * @throws A {@link MockError} `INVALID_ARGUMENT`, when `values` is invalid, when the mock has no endpoint, when it
   * sends no event of this name or no such field in it, or when `expect` was not called with a mock.
   * @example
   * ```ts
   * await mock.webhooks.flush();
   * expect(mock).toHaveDelivered('message.created', { body: 'Hello' });
   * ```
   */
  toHaveDelivered<Event extends OpenEnum<'message.created'>>(
    event: Event,
    values?: Event extends 'message.created'
      ? { readonly [Field in keyof MessageCreated]?: unknown } | Extract<Wanted, { asymmetricMatch: unknown }>
      : Wanted,
  ): Asserted<R, T>;
}

declare global {
  namespace Chai {
    // The base of vitest's assertions. Its `Matchers` would be the usual place, but has one type parameter in vitest 4 and
    // two in 5, and declarations merge only with the same parameters.
    interface Assertion extends MockMatchers<void> {}
  }
  namespace jest {
    // `expect` of @types/jest. vitest 4 inherits from it as well as from Chai's, which does not know T, so both must return
    // the same.
    interface Matchers<R, T> extends MockMatchers<R> {}
  }
}
