import type { MutantGroup } from '../../stryker.shared.ts';

const src = 'packages/client/src';

export default [
  { mutate: [`${src}/options/base-url.ts`], tests: ['base-url', 'options'] },
  { mutate: [`${src}/retry/*.ts`], tests: ['retry'] },
  {
    mutate: [`${src}/secrecy/*.ts`, 'packages/internal/src/secrecy/*.ts'],
    tests: ['safe-cause', 'secrecy', 'errors', 'shown', 'redact'],
  },
  {
    mutate: [`${src}/transport/{read-body,read-response}.ts`, `${src}/transport/read-outcome/*.ts`],
    tests: [
      'read-outcome',
      'error-bodies',
      'in-words',
      'final-failure',
      'errors',
      'extra-fields',
      'secrecy',
      'retry',
      'hostile',
      'response-size',
    ],
  },
  {
    mutate: [`${src}/pagination/*.ts`],
    tests: ['read-ahead', 'leavable', 'walk', 'page', 'stacks', 'shown', 'pagination'],
  },
  {
    mutate: [`${src}/rate-limit/*.ts`, `${src}/rate-limit/shared/*.ts`],
    tests: [
      'admission',
      'shared-window',
      'rate-limit-headers',
      'fifo',
      'limiter',
      'retry',
      'shared-rate-limit',
    ],
  },
] satisfies MutantGroup[];
