/** The fake timers of Bun with a mock: run and compiled in `main.ts`. */
import { expect, jest, test } from 'bun:test';
import { createClient } from '@confab/client';
import { createMock } from '@confab/mock';

test('a polling program and a mock on the system clock follow the fake timers', async () => {
  jest.useFakeTimers();
  const mock = createMock({ clock: 'system' });
  const confab = createClient(mock.clientOptions);
  const totals: number[] = [];
  const timer = setInterval(async () => totals.push((await confab.leads.list()).meta.total), 10_000);
  for (let second = 0; second < 30; second += 1) {
    jest.advanceTimersByTime(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  clearInterval(timer);
  jest.useRealTimers();
  expect(totals).toEqual([0, 0, 0]);
});
