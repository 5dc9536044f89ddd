import { fileURLToPath } from 'node:url';
import { defineProject, mergeConfig } from 'vitest/config';
import { shared } from '../../../../vitest.shared.ts';

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));

/** Tests that do not apply. */
const EXCLUDED = [
  // They create no client, or one that only the command has.
  'cli-calls',
  'cli-commands',
  'cli-output',
  'cli.slow',
  'contract',
  'descriptions',
  'fifo',
  'openapi',
  'openapi-words',
  'rate-limit-headers',
  'redact',
  'safe-cause',
  'shared-rate-limit',
  // They make a hundred thousand calls or more to a function of their own, which takes minutes.
  'ensure-many.slow',
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
