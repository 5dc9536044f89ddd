/**
 * Something was asked of a mock that was closed, or was still waiting when it was.
 *
 * @example
 * ```ts
 * await mock.close();
 * await mock.fetch(`${mock.baseUrl}/api/v2/public/agents`); // rejects with MockClosedError
 * ```
 */
export class MockClosedError extends Error {
  override readonly name = 'MockClosedError';
  readonly code = 'MOCK_CLOSED';

  /** @param what What can't be done: `mock.fetch()`. */
  constructor(what: string) {
    super(`${what} needs an open mock, and mock.close() has ended this one. Make another with createMock().`);
  }
}
