import { expect, test } from 'vitest';
import { list, read } from '../.vitepress/content/repository.ts';

/** The test files that may use a timer or poll, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'docs/test/waits.test.ts': 'its waits are strings',
  'examples/inbox-browser/test/inbox.slow.test.ts': 'the page is in another process',
  'examples/react/test/react.slow.test.ts': 'the page is in another process',
  'packages/mock/test/inspector/inspector.slow.test.ts': 'the page is in another process',
  'packages/mock/test/inspector/pace.test.ts': 'its timers are fake',
  'packages/mock/test/support/inspector-page.ts': 'the page is in another process',
  'packages/mock/test/support/real-time.ts': 'the virtual clock waits for quiet in real time',
  'packages/mock/test/world/fake-timers.test.ts': 'its timers are fake',
  'packages/webhooks/test/failing-parts.test.ts': 'its timers are fake',
  'packages/webhooks/test/redis.slow.test.ts': 'Redis forgets a claim by its own clock',
};

const WAIT =
  /(?<![.\w])set(?:Timeout|Interval)\(|\bvi\.wait(?:For|Until)\(|\bexpect\s*\.poll\(|\bAbortSignal\.timeout\(|'node:timers\/promises'/;

test('tests wait for events, with eventually() or on a virtual clock, and never for a fixed time', () => {
  const files = list(
    'packages/*/{test,test-support}/**/*.ts',
    'docs/test/*.ts',
    'test/**/*.test.ts',
    'examples/*/test/**/*.ts',
  );
  expect(files.filter((path) => WAIT.test(read(path)))).toEqual(Object.keys(ALLOWED));
});

test.for([
  'await new Promise((resolve) => setTimeout(resolve, 200));',
  'await vi.waitFor(() => expect(seen).toBe(1), { interval: 5 });',
  'await expect\n  .poll(() => seen)\n  .toBe(1);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
])('the check for fixed waits finds: %s', (code) => {
  expect(code).toMatch(WAIT);
});
