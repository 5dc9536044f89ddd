import type { OperationId } from '@confab/client/contract';
import type { Expect } from '@playwright/test';
import { expect as base } from '@playwright/test';
import type { AnyMock } from '../matchers/any-mock.ts';
import type { Verdict, Wanted } from '../matchers/judge.ts';
import type { OrderedRequest, ReceivedOptions } from '../matchers/matchers.ts';
import { matchers } from '../matchers/matchers.ts';
import type { RunnerState } from '../matchers/runner.ts';

/** What Playwright adds to the `this` of a matcher. */
interface PlaywrightState extends RunnerState {
  readonly isNot: boolean;
  readonly timeout: number;
}

/** Milliseconds between two checks of the mock. */
const INTERVAL = 50;

/** Checks again until the assertion holds or times out, because a page sends its requests asynchronously. */
const poll = async ({ isNot, timeout }: PlaywrightState, check: () => Verdict | Promise<Verdict>) => {
  const end = performance.now() + timeout;
  for (;;) {
    const verdict = await check();
    if (verdict.pass !== isNot || performance.now() >= end) {
      return verdict;
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
  }
};

/** The matchers of `MockMatchers`, which wait until they pass, as Playwright's own do. */
export interface RetryingMatchers {
  /** Waits until the mock has received a request of this operation, with these values, or as many as `times` says. */
  toHaveReceived(
    mock: AnyMock,
    operation: OperationId,
    values?: Wanted,
    options?: ReceivedOptions,
  ): Promise<Verdict>;
  /** Waits until the mock has received requests of these operations in this order. */
  toHaveReceivedInOrder(mock: AnyMock, steps: readonly OrderedRequest[]): Promise<Verdict>;
  /** Waits until an event of this name was delivered, with these values. */
  toHaveDelivered(mock: AnyMock, event: string, values?: Wanted): Promise<Verdict>;
}

const retrying = Object.fromEntries(
  Object.entries(matchers).map(([name, matcher]) => [
    name,
    function (this: PlaywrightState, ...args: unknown[]) {
      return poll(this, () =>
        (matcher as (...all: unknown[]) => Verdict | Promise<Verdict>).apply(this, args),
      );
    },
  ]),
);

/**
 * The `expect` of Playwright, with matchers for mocks. They wait until they pass, for as long as `expect.timeout` allows.
 *
 * @example
 * ```ts
 * import { expect, test } from '@confab/mock/playwright';
 *
 * test('a sign-up becomes a lead', async ({ page, mock }) => {
 *   await page.getByRole('button', { name: 'Sign up' }).click();
 *   await expect(mock).toHaveReceived('leads.create', { phone: '+5511987654321' });
 * });
 * ```
 */
export const expect: Expect<RetryingMatchers> = base.extend(retrying as never);
