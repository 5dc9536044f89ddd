/** The guides in the order in which to read them: first what people come for, then how it behaves. */
export const GUIDES = {
  Start: ['getting-started', 'migrating-from-hand-written-calls', 'runtimes', 'command-line'],
  Tasks: [
    'conversations',
    'leads',
    'agents',
    'funnel',
    'webhooks',
    'failed-deliveries',
    'keep-a-copy',
    'testing',
    'test-runners',
    'mock-server',
    'control-endpoints',
    'probe',
  ],
  'How it behaves': [
    'retries-and-rate-limits',
    'several-processes',
    'paging',
    'errors',
    'logging',
    'custom-requests',
    'middleware-with-ky',
    'open-questions',
  ],
} as const;
