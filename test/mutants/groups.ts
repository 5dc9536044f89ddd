/** Files to mutate, and the tests that own their behavior. */
export interface Group {
  /** Patterns from the root. */
  readonly mutate: readonly string[];
  /** Names of test files of the package. The cheapest come first, because the first failure ends a mutant. */
  readonly tests: readonly string[];
}

const client = 'packages/client/src';
const webhooks = 'packages/webhooks/src';
const mock = 'packages/mock/src';

/** The code that must not be wrong, by package. */
export const GROUPS: Readonly<Record<string, readonly Group[]>> = {
  client: [
    { mutate: [`${client}/options/base-url.ts`], tests: ['options'] },
    {
      mutate: [`${client}/call/{retry,connect-failure}.ts`, `${client}/rate-limit/headers.ts`],
      tests: ['retry', 'connect-failure'],
    },
    {
      mutate: [`${client}/errors/redaction.ts`, 'packages/internal/src/secrecy/*.ts'],
      tests: ['secrecy', 'errors', 'shown', 'redact'],
    },
    {
      mutate: [`${client}/call/{attempt,describe-body,exchange,read-body,response,to-api-error,to-error}.ts`],
      tests: ['error-bodies', 'errors', 'extra-fields', 'secrecy', 'retry', 'hostile', 'response-size'],
    },
    {
      mutate: [`${client}/lists/*.ts`],
      tests: ['stacks', 'shown', 'pagination'],
    },
    {
      mutate: [`${client}/rate-limit/*.ts`, `${client}/rate-limit/shared/*.ts`],
      tests: ['limiter', 'retry', 'shared-rate-limit'],
    },
  ],
  webhooks: [
    {
      mutate: [
        `${webhooks}/{body,event,handlers,headers,queue,receive}.ts`,
        `${webhooks}/{dedupe,signature}/*.ts`,
      ],
      tests: [
        'refusals',
        'handlers',
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
  ],
  mock: [
    { mutate: [`${mock}/server/admin.ts`], tests: ['admin-access', 'admin'] },
    {
      mutate: [`${mock}/world/keys/*.ts`, 'packages/internal/src/sliding-window.ts'],
      tests: ['keys', 'strict', 'misspelled', 'limits', 'sliding-window', 'restore'],
    },
    {
      mutate: [`${mock}/world/store/{collection,row-check,store,table}.ts`],
      tests: ['store', 'misspelled', 'collections', 'isolation', 'operations', 'strict', 'restore', 'lists'],
    },
  ],
};
