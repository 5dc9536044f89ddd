import { fileURLToPath } from 'node:url';
import { defineProject, mergeConfig } from 'vitest/config';
import { shared } from '../../../../vitest.config.ts';
import { testsWithout } from '../support/tests-without.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Tests that do not apply. */
const EXCLUDED = [
  // These make a hundred thousand calls or more to a function of their own, which would take minutes.
  'ensure-many.slow',
  'ensure-phones.slow',
  // This is about the store.
  'redis.slow',
  // These are about the `fetch` that the client itself calls.
  'opentelemetry-fetch',
  'wrong-fetch',
  // These create ky instances of their own.
  'ky',
  'undici',
];

/** Runs the client's tests that create a client once more, with each attempt sent through ky. */
export const clientThroughKy = mergeConfig(
  shared,
  defineProject({
    root: path('../..'),
    resolve: { alias: [{ find: /^(?:\.\.\/){1,2}src\/index\.ts$/, replacement: path('./client.ts') }] },
    test: {
      name: 'client through ky',
      include: ['test/**/*.test.ts'],
      exclude: [
        ...testsWithout(/\bcreateClient\b|support\/client\.ts/),
        ...EXCLUDED.map((name) => `test/${name}.test.ts`),
      ],
    },
  }),
);
