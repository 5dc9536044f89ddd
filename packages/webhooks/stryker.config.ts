import type { MutantGroup } from '../../stryker.shared.ts';

export default [
  {
    mutate: ['packages/webhooks/src/{bytes,dedupe,receive,signature}/*.ts'],
    tests: [
      'refusals',
      'refusal-messages',
      'header-forms',
      'several-signatures',
      'fetch',
      'handlers',
      'dedupe-signed-id',
      'failing-parts',
      'dedupe',
      'schemes',
      'events',
      'sign-and-verify',
      'read-body',
      'queue',
      'configuration',
    ],
  },
] satisfies MutantGroup[];
