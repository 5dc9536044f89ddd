import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from '@playwright/test';
import { test as base } from '@playwright/test';
import { createMock } from '../create-mock.ts';
import type { MissedOptions } from '../matchers/expect-nothing-missed.ts';
import { failOnMissed, missedBy } from '../matchers/expect-nothing-missed.ts';
import type { Mock } from '../mock.ts';
import type { MockOptions } from '../world/options.ts';
import { endGuard, guard, guardMock } from './guard.ts';
import { routeMock } from './route-mock.ts';

/** The reasons for which a test fails although its assertions hold. */
export interface PlaywrightMissedOptions extends MissedOptions {
  /**
   * Whether a test fails because a page sent a request for the API past the mock. Such a request is refused, because it
   * would go to the real service. A request is for the API if its URL is below `mock.baseUrl`, or below `/api/v2/public` on
   * a different machine.
   * @default true
   */
  readonly unroutedRequests?: boolean | undefined;
}

/** The options of {@link test}, for `use` in the configuration and for `test.use()`. */
export interface PlaywrightOptions {
  /**
   * The options of the mock. Set `baseUrl` to the base URL that the page calls. By default, the mock is strict and follows
   * the system clock, because pages wait in real time.
   * @default {}
   */
  mockOptions: MockOptions;
  /**
   * The reasons for which a test fails although its assertions hold.
   * @default { unknownRequests: true, unusedFaults: true, unroutedRequests: true }
   */
  failOn: PlaywrightMissedOptions;
}

/** The fixtures of {@link test}. */
export interface PlaywrightFixtures {
  /** A mock for this test alone. Every page of `context` calls it. It is closed after the test. */
  mock: Mock;
}

/**
 * The `test` of Playwright, with a mock for each test, which the pages of the test call instead of the service.
 *
 * @example
 * ```ts
 * import { expect, test } from '@confab/mock/playwright';
 *
 * test.use({ mockOptions: { baseUrl: 'https://api.example.com' } });
 *
 * test('a visitor can try again after a failed sign-up', async ({ page, mock }) => {
 *   mock.faults.once('leads.create', { status: 503 });
 *   await page.goto('/sign-up');
 *   await page.getByRole('button', { name: 'Sign up' }).click();
 *   await page.getByRole('button', { name: 'Try again' }).click();
 *   await expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
 * });
 * ```
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & PlaywrightOptions & PlaywrightFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<PlaywrightOptions & PlaywrightFixtures>({
  mockOptions: [{}, { option: true }],
  failOn: [{}, { option: true }],
  mock: async ({ mockOptions, failOn: { unroutedRequests = true, ...failOn } }, use, testInfo) => {
    await using mock = createMock({ strict: true, clock: 'system', ...mockOptions });
    const unrouted = unroutedRequests ? guardMock(mock) : [];
    await use(mock);
    endGuard();
    // If the test has failed already, only its first error matters.
    if (testInfo.errors.length === 0) {
      failOnMissed([...unrouted, ...(await missedBy(mock, failOn))]);
    }
  },
  browser: [
    async ({ browser }, use) => {
      browser.on('context', (context) => void guard(context));
      await use(browser);
    },
    { scope: 'worker' },
  ],
  // Not in `mock`: a test that uses only `page` calls the mock too, and a test that uses only `mock` starts no browser.
  context: async ({ mock, context }, use) => {
    await guard(context);
    await routeMock(context, mock);
    await use(context);
  },
});
