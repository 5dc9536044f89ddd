import { type OperationId, operations } from '@confab/client/contract';
import type { MatcherState, SyncMatcherResult } from 'vitest';
import type { Mock } from '../mock.ts';

/** What `expect(mock)` can say of a mock. */
export interface MockMatchers<R> {
  /**
   * At least one request of this operation came in, with these values among its parameters, query and body.
   *
   * @example
   * expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
   * expect(mock).not.toHaveReceived('conversations.sendMessage');
   */
  toHaveReceived(operation: OperationId, values?: Record<string, unknown>): R;
  /**
   * At least one event of this name was taken by a receiver, with these values among its data.
   *
   * @example
   * await mock.webhooks.flush();
   * expect(mock).toHaveDelivered('message.created', { body: 'Hello' });
   */
  toHaveDelivered(event: string, values?: Record<string, unknown>): R;
}

declare module 'vitest' {
  // Types merge by name, and vitest gives this one two parameters.
  interface Matchers<R, T> extends MockMatchers<R> {}
}

const asObject = (value: unknown): object => (typeof value === 'object' && value !== null ? value : {});

/** Says whether some candidate has the wanted values, and what there was instead. */
const judge = (
  state: MatcherState,
  found: { what: string; candidates: readonly object[]; wanted: Record<string, unknown> },
): SyncMatcherResult => {
  const { what, candidates, wanted } = found;
  const fits = (candidate: object) =>
    Object.entries(wanted).every(([name, value]) => state.equals(Reflect.get(candidate, name), value));
  const print = (value: unknown) => state.utils.stringify(value);
  const pass = candidates.some(fits);
  const values = Object.keys(wanted).length === 0 ? '' : ` with ${print(wanted)}`;
  return {
    pass,
    message: () =>
      pass
        ? `Expected no ${what}${values}, but there was one`
        : `Expected ${what}${values}; there ${candidates.length === 0 ? 'was none' : `were ${print(candidates)}`}`,
  };
};

export const matchers = {
  toHaveReceived(
    this: MatcherState,
    mock: Mock,
    operation: OperationId,
    wanted: Record<string, unknown> = {},
  ): SyncMatcherResult {
    if (!Object.hasOwn(operations, operation))
      throw new TypeError(`toHaveReceived() knows no operation ${JSON.stringify(operation)}`);
    const candidates = mock.requests
      .of(operation)
      .map(({ params, query, body }) => ({ ...params, ...query, ...asObject(body) }));
    return judge(this, { what: `a request of ${operation}`, candidates, wanted });
  },

  toHaveDelivered(
    this: MatcherState,
    mock: Mock,
    event: string,
    wanted: Record<string, unknown> = {},
  ): SyncMatcherResult {
    const candidates = mock.webhooks.deliveries
      .filter((delivery) => delivery.event === event && delivery.state === 'delivered')
      .map(({ data }) => asObject(data));
    return judge(this, { what: `a delivery of ${event}`, candidates, wanted });
  },
};
