import ts from 'typescript';
import { expect, test } from 'vitest';
import type { SourceFile } from './support/source-files.ts';
import { at, nodesOf, parse, sourceFiles } from './support/source-files.ts';

/** Where tests may use a timer or poll, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  'examples/inbox-browser/test/inbox.slow.test.ts': 'the page is in another process',
  'examples/react/test/react.slow.test.ts': 'the page is in another process',
  'packages/mock/test/inspector.slow.test.ts': 'the page is in another process',
  'packages/mock/test/pace.test.ts': 'its timers are fake',
  'packages/mock/test/support/real-time.ts': 'the virtual clock waits for quiet in real time',
  'packages/webhooks/test/after-response.test.ts': 'its timers are fake',
  'packages/webhooks/test/redis.slow.test.ts': 'Redis forgets a claim by its own clock',
};

const TIMERS =
  /^(?:(?:globalThis\.)?set(?:Timeout|Interval)|vi\.wait(?:For|Until)|expect\.poll|AbortSignal\.timeout)$/;

const isTimer = (node: ts.Node): boolean =>
  (ts.isCallExpression(node) && TIMERS.test(node.expression.getText().replaceAll(/\s/g, ''))) ||
  (ts.isImportDeclaration(node) && /timers\/promises/.test(node.moduleSpecifier.getText()));

const waitsIn = (files: readonly SourceFile[]): string[] =>
  files.flatMap((file) =>
    nodesOf(file)
      .filter(isTimer)
      .map((node) => at(file, node.getStart(), 'wait for an event, with eventually() or on a virtual clock')),
  );

const files = sourceFiles(
  'packages/*/{test,test-support}/**/*.ts',
  'docs/test/*.ts',
  'test/**/*.test.ts',
  'examples/*/test/**/*.ts',
);

test('tests wait for events, not for an amount of time', () => {
  expect(waitsIn(files.filter(({ path }) => !(path in ALLOWED)))).toEqual([]);
});

test('each exception is still needed', () => {
  const waiting = files.filter((file) => waitsIn([file]).length > 0).map(({ path }) => path);
  expect(waiting).toEqual(Object.keys(ALLOWED));
});

test.for([
  'await new Promise((resolve) => setTimeout(resolve, 200));',
  'await vi.waitFor(() => expect(seen).toBe(1), { interval: 5 });',
  'await expect\n  .poll(() => seen)\n  .toBe(1);',
  "import { setTimeout as sleep } from 'node:timers/promises';",
])('a wait like this one is found: %s', (code) => {
  expect(waitsIn([parse('some.test.ts', code)])).toHaveLength(1);
});
