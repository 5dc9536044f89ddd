import type { Confab } from '@confab/client';
import { createClient } from '@confab/client';
import type { TestAPI } from 'vitest';
import { test as base, expect } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { Mock } from '../mock.ts';
import type { MockOptions } from '../setup/mock-options.ts';
import { matchers } from './matchers.ts';

expect.extend(matchers);

/** What each test is given. */
export interface MockFixtures {
  /**
   * How the mock is made; change it for a file or a `describe` by `test.override('mockOptions', …)`. Unless they say
   * otherwise, the mock is strict.
   * @default {}
   */
  mockOptions: MockOptions;
  /** A mock of its own. */
  mock: Mock;
  /** A client that talks to this mock, and waits on its clock. */
  confab: Confab;
}

/**
 * The `test` of vitest, with a mock and a client for each test. It also adds the matchers of {@link MockMatchers}
 * to `expect`.
 *
 * @example
 * import { expect } from 'vitest';
 * import { test } from '@confab/mock/vitest';
 *
 * test('a sign-up becomes a lead', async ({ mock, confab }) => {
 *   await signUp(confab, '+5511987654321');
 *   expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
 * });
 */
export const test: TestAPI<MockFixtures> = base.extend<MockFixtures>({
  mockOptions: {},
  mock: async ({ mockOptions }, use) => {
    await use(createMock({ strict: true, ...mockOptions }));
  },
  confab: async ({ mock }, use) => {
    await use(createClient(mock.clientOptions));
  },
});
