/**
 * The guides in the order in which to read them, by what they are about. The menu of the site and the guides in each
 * package come from here; a test compares docs/guides/README.md with that menu.
 */
export const GUIDES = {
  Start: ['getting-started', 'migrating-from-hand-written-calls', 'runtimes', 'command-line'],
  'Call the API': ['conversations', 'leads', 'agents', 'funnel', 'keep-a-copy', 'custom-requests', 'react'],
  'How calls behave': [
    'retries-and-rate-limits',
    'paging',
    'errors',
    'logging',
    'middleware-with-ky',
    'several-processes',
    'several-tenants',
  ],
  Webhooks: [
    'webhooks',
    'queues-and-deduplication',
    'postgres-inbox',
    'failed-deliveries',
    'signature-schemes',
  ],
  Testing: [
    'testing',
    'testing-time',
    'testing-faults',
    'test-runners',
    'ci',
    'mock-server',
    'control-endpoints',
    'inspector',
    'recordings',
    'probe',
  ],
} as const;
