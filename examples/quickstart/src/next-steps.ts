import { list } from './transcript.ts';

/** Prints what to do after the tour. */
export const printNextSteps = (): void => {
  console.log('\nNext:');
  list([
    ['npx --yes pnpm@12 demo --inspect', 'look at the requests of this tour in your browser'],
    ['examples/quickstart/src/main.ts', 'read the code of this tour'],
    ['docs/guides/getting-started.md', 'make your own first call'],
    ['docs/guides/testing.md', 'test your code against the mock'],
    ['docs/guides/webhooks.md', 'receive events'],
    ['examples/', 'start from a program: a receiver, an import, a front end, an MCP server'],
  ]);
};
