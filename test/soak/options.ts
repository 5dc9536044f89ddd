import { defineCommand, parseCommand } from '../../scripts/command/command.ts';
import { decimal, oneOf, toggle, whole } from '../../scripts/command/flag.ts';

/** What a run leaks on purpose, to show that the check notices it. */
const LEAKS = ['memory', 'handles', 'worlds'] as const;

export type Leak = (typeof LEAKS)[number];

export interface SoakOptions {
  readonly minutes: number;
  /** Requests of the whole run, of all kinds. */
  readonly requests: number;
  /** Whether the figures and the plot replace those in docs/proof. */
  readonly write: boolean;
  readonly leak: Leak | undefined;
}

/** The pace of a run of the default length: a million requests in 30 minutes. */
const [REQUESTS, MINUTES] = [1_000_000, 30];

/** The flags and the help of the command. */
export const SOAK = defineCommand({
  name: 'test:soak',
  summary: 'puts a served mock under mixed load, and checks that it stays flat',
  description:
    'Sends calls, invalid and hostile requests to a mock in a process of its own, and measures its memory, handles and latencies meanwhile. A run on a machine that is too slow for the pace takes up to 1.75 times its minutes. docs/proof/soak.md describes the check.',
  flags: {
    minutes: decimal({
      placeholder: 'MINUTES',
      description: 'Length of the run in minutes.',
      least: 0.1,
      most: 10_080,
      fallback: MINUTES,
    }),
    requests: whole({
      placeholder: 'N',
      description: `Requests of the whole run. By default ${REQUESTS} in ${MINUTES} minutes, and as many per minute in a run of another length.`,
      least: 1,
      most: 1_000_000_000,
    }),
    leak: oneOf({
      placeholder: 'WHAT',
      description: 'Leaks something on purpose, to show that the check notices it.',
      words: LEAKS,
    }),
    write: toggle('Writes the figures and the plot into docs/proof.'),
  },
  excludes: [
    { flags: ['leak'], with: ['write'], because: 'the page shows a server that does not leak on purpose' },
  ],
  fails: 'Something grows, a call failed that should not, or fewer requests were sent than asked for.',
  examples: ['pnpm test:soak --minutes 2', 'pnpm test:soak --minutes 0.6 --leak memory'],
});

/**
 * Reads the flags of a run. A shorter run keeps the pace, so it sends fewer requests.
 *
 * @throws {@link UsageError} When a flag is unknown or its value invalid.
 */
export const parseSoakOptions = (args: readonly string[]): SoakOptions => {
  const {
    minutes,
    requests = Math.round((REQUESTS * minutes) / MINUTES),
    write,
    leak,
  } = parseCommand(SOAK, args).values;
  return { minutes, requests, write, leak };
};
