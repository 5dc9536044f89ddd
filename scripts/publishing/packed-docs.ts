/** Which pages of `docs/` each package brings along, below the same paths, for those who read it in `node_modules`. */
export const PACKED_DOCS: Readonly<Record<string, readonly string[]>> = {
  client: [
    'errors.md',
    'guides/getting-started.md',
    'guides/runtimes.md',
    'guides/migrating-from-hand-written-calls.md',
    'guides/open-questions.md',
    'guides/retries-and-rate-limits.md',
    'guides/errors.md',
    'guides/paging.md',
    'guides/bulk-imports.md',
    'guides/several-processes.md',
    'guides/tracing.md',
    'guides/middleware-with-ky.md',
    'guides/command-line.md',
  ],
  webhooks: ['errors.md', 'guides/webhooks.md'],
  mock: ['errors.md', 'guides/testing.md', 'guides/test-runners.md'],
};
