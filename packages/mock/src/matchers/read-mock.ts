import type { OperationId } from '@confab/client/contract';
import { invalidArgument } from '../errors/mock-error.ts';
import type { Mock } from '../mock.ts';
import type { RemoteParts } from '../remote/remote-parts.ts';
import type { LoggedRequest } from '../world/log/logged-request.ts';
import type { Delivery } from '../world/webhooks/delivery.ts';

/** What the matchers look into: a mock in this process, or the twin of one in another. */
export type AnyMock = Mock | RemoteParts;

/** A value of a mock in this process, or the promise of one from another. */
type Read<T> = T | Promise<T>;

/**
 * Checks by its properties that a value is a mock: a test may have two copies of this package.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when it is not a mock.
 */
export const toMock = (matcher: string, received: unknown): AnyMock => {
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

/** The requests of one operation, in the order in which they ended. */
export const requestsOf = (mock: AnyMock, operation: OperationId): Read<readonly LoggedRequest[]> =>
  mock.requests.of(operation);

/** All deliveries, in the order in which they began. */
export const deliveriesOf = ({ webhooks }: AnyMock): Read<readonly Delivery[]> =>
  typeof webhooks.deliveries === 'function' ? webhooks.deliveries() : webhooks.deliveries;

/** Continues with a value at once, or when its promise is fulfilled. */
export const andThen = <T, R>(value: Read<T>, next: (value: T) => R): Read<R> =>
  // Not by `instanceof`: a test may run in another realm.
  typeof value === 'object' && value !== null && 'then' in value ? value.then(next) : next(value as T);
