/** The guides by the package that they are about, in the order in which to read them. */
export const GUIDES = {
  start: ['getting-started', 'runtimes', 'migrating-from-hand-written-calls', 'open-questions'],
  client: [
    'retries-and-rate-limits',
    'errors',
    'paging',
    'bulk-imports',
    'several-processes',
    'tracing',
    'middleware-with-ky',
    'command-line',
  ],
  webhooks: ['webhooks'],
  mock: ['testing', 'test-runners'],
} as const;
