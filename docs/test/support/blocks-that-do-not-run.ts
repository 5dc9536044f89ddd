/** A block that no test runs. */
export interface IdleBlock {
  readonly document: string;
  /** A line of the block. */
  readonly line: string;
  readonly reason: string;
}

export const IDLE_BLOCKS: readonly IdleBlock[] = [
  {
    document: 'docs/guides/test-runners.md',
    line: "import { defineConfig } from 'cypress';",
    reason:
      'Cypress downloads a browser of its own. test-runners-guide.test.ts runs the tasks that this registers.',
  },
  {
    document: 'docs/guides/test-runners.md',
    line: "  cy.task('reset');",
    reason: 'Cypress downloads a browser of its own. test-runners-guide.test.ts calls the same tasks.',
  },
];
