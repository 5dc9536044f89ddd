/** Files to mutate, and the tests that own their behavior. */
interface Group {
  /** Patterns from the root. */
  readonly mutate: readonly string[];
  /** Names of test files of the package. The cheapest come first, because the first failure ends a mutant. */
  readonly tests: string;
}

const client = 'packages/client/src';
const webhooks = 'packages/webhooks/src';
const mock = 'packages/mock/src';

/** The code that must not be wrong, by package. */
export const GROUPS: Readonly<Record<string, Group>> = {
  client: {
    mutate: [
      `${client}/options/base-url.ts`,
      `${client}/call/{retry,connect-failure}.ts`,
      `${client}/call/{attempt,describe-body,exchange,read-body,response,to-api-error,to-error}.ts`,
      `${client}/errors/redaction.ts`,
      'packages/internal/src/secrecy/*.ts',
      `${client}/lists/*.ts`,
      `${client}/rate-limit/**/*.ts`,
    ],
    tests: `base-url connect-failure safe-cause redact read-ahead leavable admission shared-window rate-limit-headers
      read-outcome error-bodies in-words extra-fields errors shown secrecy stacks page walk pagination fifo limiter options
      retry final-failure hostile response-size shared-rate-limit`,
  },
  webhooks: {
    mutate: [
      `${webhooks}/{body,event,handlers,headers,queue,receive}.ts`,
      `${webhooks}/{dedupe,signature}/*.ts`,
    ],
    tests:
      'refusals handlers failing-parts dedupe schemes events sign-and-verify read-body queue configuration',
  },
  mock: {
    mutate: [
      `${mock}/server/admin.ts`,
      `${mock}/world/keys/*.ts`,
      'packages/internal/src/sliding-window.ts',
      `${mock}/world/store/{collection,row-check,store,table}.ts`,
    ],
    tests: `admin-access admin keys sliding-window store limits misspelled collections isolation operations strict lists
      restore`,
  },
};
