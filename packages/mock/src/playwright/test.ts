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

/** What a test fails on although its assertions hold. */
export interface PlaywrightMissedOptions extends MissedOptions {
  /**
   * Whether a test fails because a page sent a request for the API past the mock. The request is then refused, because it
   * would leave for the real service. It is for the API if it goes below `mock.baseUrl`, or to `/api/v2/public` on another
   * machine.
   * @default true
   */
  readonly unroutedRequests?: boolean | undefined;
}

/** The options of {@link test}, for `use` in the configuration and for `test.use()`. */
export interface PlaywrightOptions {
  /**
   * The options of the mock. Set `baseUrl` to the one that the page calls. Unless they say otherwise, the mock is strict,
   * and its clock is that of the system, because pages wait in real time.
   * @default {}
   */
  mockOptions: MockOptions;
  /**
   * What a test fails on although its assertions hold.
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
 * test('a failed sign-up can be repeated', async ({ page, mock }) => {
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
    // Of a test that has failed, the first error matters.
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
  // Not in `mock`: a test that names only `page` calls the mock too, and one that names only `mock` starts no browser.
  context: async ({ mock, context }, use) => {
    await guard(context);
    await routeMock(context, mock);
    await use(context);
  },
});
