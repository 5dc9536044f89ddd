import { docsUrlOf } from '@confab/internal';

/**
 * Why the mock threw. Codes do not change between versions, so programs can rely on them.
 *
 * - `INVALID_ARGUMENT`: an option, an argument or the name of one is invalid.
 * - `INVALID_ROW`: a row cannot be stored ({@link CollectionError}).
 * - `MOCK_CLOSED`: the mock was closed ({@link MockClosedError}).
 * - `MOCK_RESTORED`: the mock was restored or reset while something was in progress.
 * - `WRONG_ORIGIN`: `mock.fetch` was called with a URL whose origin is not that of `mock.baseUrl`.
 * - `CLOCK_NOT_VIRTUAL`: only a virtual clock can be moved.
 * - `NO_REAL_TIMERS`: fake timers were installed before the mock was imported.
 * - `CONTRACT_BROKEN`: in strict mode, a response did not match the contract.
 * - `DELIVERY_ABANDONED`: a delivery ended because its server was closed, or because too many were waiting.
 * - `CANNOT_LISTEN`: a server could not listen, for example because its port is in use.
 * - `VERIFICATION_FAILED`: `requests.verify()` found too few or too many requests, or `expectNothingMissed()` failed.
 * - `DELIVERIES_PENDING`: `webhooks.flush()` of a remote mock ended before all deliveries had.
 * - `REMOTE_UNREACHABLE`: no mock responds at the URL that `connectMock` was called with.
 * - `REMOTE_DENIED`: a mock server refused access to its control endpoints.
 * - `REMOTE_FAILED`: a mock server failed, or the server is not a mock.
 */
export type MockErrorCode =
  | 'INVALID_ARGUMENT'
  | 'INVALID_ROW'
  | 'MOCK_CLOSED'
  | 'MOCK_RESTORED'
  | 'WRONG_ORIGIN'
  | 'CLOCK_NOT_VIRTUAL'
  | 'NO_REAL_TIMERS'
  | 'CONTRACT_BROKEN'
  | 'DELIVERY_ABANDONED'
  | 'CANNOT_LISTEN'
  | 'VERIFICATION_FAILED'
  | 'DELIVERIES_PENDING'
  | 'REMOTE_UNREACHABLE'
  | 'REMOTE_DENIED'
  | 'REMOTE_FAILED';

/**
 * The base of every error that the mock throws.
 *
 * @example
 * ```ts
 * try {
 *   mock.faults.once('leads.create', { delayMs: -1 });
 * } catch (error) {
 *   if (error instanceof MockError) console.error(error.code, error.message);
 * }
 * ```
 */
export class MockError extends Error {
  /** The name of the class. */
  override readonly name: 'MockError' | 'MockClosedError' | 'CollectionError' = 'MockError';
  /** Why the error was thrown. */
  readonly code: MockErrorCode;

  /** @internal */
  constructor(code: MockErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }

  /**
   * The address of the page that explains this `code`, or `undefined` in a build that was not released.
   */
  get docsUrl(): string | undefined {
    return docsUrlOf(this.code);
  }
}

/**
 * Thrown when a row cannot be stored as given, or a query names an unknown field.
 *
 * @example
 * ```ts
 * mock.leads.create({ phone: '123' }); // throws CollectionError
 * ```
 */
export class CollectionError extends MockError {
  /** The name of the class. */
  override readonly name = 'CollectionError';
  override readonly code = 'INVALID_ROW';

  /** @internal */
  constructor(message: string) {
    super('INVALID_ROW', message);
  }
}

/**
 * Thrown when a test starts something in a closed mock, and by everything that was waiting when the mock was closed.
 *
 * @example
 * ```ts
 * await mock.close();
 * await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`); // rejects with MockClosedError
 * ```
 */
export class MockClosedError extends MockError {
  /** The name of the class. */
  override readonly name = 'MockClosedError';
  override readonly code = 'MOCK_CLOSED';

  /**
   * @param what The event that came too late: `mock.inbound() was called`.
   * @internal
   */
  constructor(what: string) {
    super(
      'MOCK_CLOSED',
      `${what} after mock.close(). Close the mock at the end of the test, or create a new one with createMock().`,
    );
  }
}

/** The error for an invalid option or argument. The message names it, and says what was given and what is valid. */
export const invalidArgument = (message: string): MockError => new MockError('INVALID_ARGUMENT', message);
