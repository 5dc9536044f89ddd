import { MockError } from './mock-error.ts';

/**
 * Thrown when a closed mock is asked to start something, and by whatever was waiting when it was closed.
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
   * @param what What needs an open mock: `mock.fetch()`.
   * @internal
   */
  constructor(what: string) {
    super(
      'MOCK_CLOSED',
      `${what} needs an open mock, and mock.close() has closed this one. Create another with createMock().`,
    );
  }
}
