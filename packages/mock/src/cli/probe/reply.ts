import type { Operation, OperationId } from '@confab/client/contract';
import { ErrorEnvelopeSchema, operations } from '@confab/client/contract';
import type * as z from 'zod/mini';
import { textOf } from '../../request/incoming-request.ts';
import { readJson } from '../../request/json.ts';
import type { ServiceReply } from '../forward/ask-service.ts';
import { NoAnswer } from './evidence.ts';

/** A response of the service, as far as questions need it. */
export interface Reply<Id extends OperationId = OperationId> {
  readonly operation: Id;
  /** Whether the request had the key. */
  readonly withKey: boolean;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
  readonly status: number;
  readonly headers: Headers;
  /** The body of a success that matches the contract. */
  readonly body: z.output<(typeof operations)[Id]['response']> | undefined;
  /** The body of an error that matches the contract. */
  readonly error: z.output<typeof ErrorEnvelopeSchema> | undefined;
}

/** Reads a response. */
export const toReply = (
  request: Pick<Reply, 'operation' | 'withKey'>,
  { status, headers, bytes }: ServiceReply,
  at: number,
): Reply => {
  const operation: Operation = operations[request.operation];
  const { value } = readJson(textOf(bytes));
  const body = status === operation.status ? operation.response.safeParse(value).data : undefined;
  const error = status >= 400 ? ErrorEnvelopeSchema.safeParse(value).data : undefined;
  return { ...request, at, status, headers, body: body as Reply['body'], error };
};

/**
 * The body of a success.
 *
 * @throws {@link NoAnswer} When it is no success, or differs from the contract.
 */
export const bodyOf = <Id extends OperationId>({ operation, status, body }: Reply<Id>) => {
  if (body !== undefined) {
    return body;
  }
  throw status === 403
    ? new NoAnswer(`the key may not call ${operation}`, 'Use a key that has the scope.')
    : new NoAnswer(
        `${operation} responded with ${status}${status < 300 ? ', but not as the contract says' : ''}`,
        'Run the probe again when the service responds as documented.',
      );
};

const COUNT = /^\d{1,9}$/;

/** The rate limit of the key, if a response names it and what is left of it. */
export const limitIn = (headers: Headers): number | undefined => {
  const [limit = '', remaining = ''] = ['limit', 'remaining'].map(
    (name) => headers.get(`x-ratelimit-${name}`) ?? '',
  );
  return COUNT.test(limit) && COUNT.test(remaining) && Number(limit) > 0 ? Number(limit) : undefined;
};

/** How long to wait after a 429, in milliseconds: a minute, if the header says nothing. */
export const waitAfter = ({ headers, at }: Reply): number => {
  const text = headers.get('retry-after') ?? '';
  const end = COUNT.test(text) ? at + Number(text) * 1000 : Date.parse(text);
  return Number.isNaN(end) ? 60_000 : Math.max(1000, end - at);
};
