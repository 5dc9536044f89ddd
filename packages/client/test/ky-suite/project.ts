import { fileURLToPath } from 'node:url';
import { defineProject, mergeConfig } from 'vitest/config';
import { shared } from '../../../../vitest.shared.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Tests that do not apply. */
const EXCLUDED = [
  // They create no client.
  'contract',
  'descriptions',
  'openapi',
  'openapi-words',
  'redact',
  'shared-rate-limit',
  // It makes a hundred thousand calls to a function of its own, which takes minutes.
  'ensure-phones.slow',
  // They create ky instances of their own.
  'ky',
  'undici',
];

/** The client's own tests once more, with each attempt sent through ky. */
export const clientThroughKy = mergeConfig(
  shared,
  defineProject({
    root: path('../..'),
    resolve: { alias: [{ find: /^\.\.\/src\/index\.ts$/, replacement: path('./client.ts') }] },
    test: {
      name: 'client through ky',
      exclude: EXCLUDED.map((name) => `test/${name}.test.ts`),
    },
  }),
);
