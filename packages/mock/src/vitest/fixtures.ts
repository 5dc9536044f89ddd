import type { ClientOptions, Confab } from '@confab/client';
import { createClient } from '@confab/client';
import type { TestAPI } from 'vitest';
import { test as base, expect } from 'vitest';
import { createMock } from '../create-mock.ts';
import type { MissedOptions } from '../matchers/expect-nothing-missed.ts';
import { expectNothingMissed } from '../matchers/expect-nothing-missed.ts';
import { matchers } from '../matchers/matchers.ts';
import type { Mock } from '../mock.ts';
import type { MockOptions } from '../world/options.ts';

expect.extend(matchers);

/** The fixtures of {@link test}. */
export interface MockFixtures {
  /**
   * The options of the mock. `test.override('mockOptions', …)` changes them for a file or a `describe`. By default, the mock
   * is strict.
   * @default {}
   */
  mockOptions: MockOptions;
  /**
   * The reasons for which a test fails although its assertions hold. `test.override('failOn', { unusedFaults: false })`
   * changes them for a file or a `describe`.
   * @default { unknownRequests: true, unusedFaults: true }
   */
  failOn: MissedOptions;
  /** A mock for this test alone. */
  mock: Mock;
  /**
   * Options of the client, in addition to `mock.clientOptions`. `test.override('clientOptions', …)` changes them for a file
   * or a `describe`.
   * @default {}
   */
  clientOptions: ClientOptions;
  /** A client that sends its requests to this mock, and waits on its clock. */
  confab: Confab;
}

/**
 * The `test` of vitest, with a mock and a client for each test. Importing it also adds the matchers of
 * {@link MockMatchers} to `expect`.
 *
 * @example
 * ```ts
 * import { expect } from 'vitest';
 * import { test } from '@confab/mock/vitest';
 *
 * test('a sign-up becomes a lead', async ({ mock, confab }) => {
 *   await signUp(confab, '+5511987654321');
 *   expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
 * });
 * ```
 */
export const test: TestAPI<MockFixtures> = base.extend<MockFixtures>({
  mockOptions: {},
  failOn: {},
  mock: async ({ mockOptions, failOn, task }, use) => {
    const mock = createMock({ strict: true, ...mockOptions });
    await use(mock);
    // If the test has failed already, only its first error matters.
    if (task.result?.state !== 'fail') {
      expectNothingMissed(mock, failOn);
    }
  },
  clientOptions: {},
  confab: async ({ mock, clientOptions }, use) => {
    await use(createClient({ ...mock.clientOptions, ...clientOptions }));
  },
});
