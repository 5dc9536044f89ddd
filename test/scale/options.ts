import { defineCommand, parseCommand } from '../../scripts/command/command.ts';
import { toggle } from '../../scripts/command/flag.ts';

/** The flags and the help of the command. */
export const SCALE = defineCommand({
  name: 'test:scale',
  summary: 'measures what deliveries and a shared limit cost, and simulates 10,000 processes',
  description:
    'Measures what deliveries and a shared limit cost one core, computes what many of them need, and simulates 10,000 processes that share one limit. It prints the tables of docs/proof/scale.md, and its progress to the standard error. It needs redis-server, and takes about a minute.',
  flags: {
    write: toggle('Writes the tables and plots into docs/proof.'),
  },
  fails: 'A measurement or a simulation failed.',
  examples: ['pnpm test:scale', 'pnpm --silent test:scale > tables.md'],
});

/**
 * Reads the flags.
 *
 * @throws {@link UsageError} When one is unknown.
 */
export const parseScaleOptions = (args: readonly string[]): { readonly write: boolean } =>
  parseCommand(SCALE, args).values;
