import type { Command } from './command.ts';

/** A flag that commands have in common. */
export interface GlobalFlag {
  readonly type: 'string' | 'boolean';
  readonly short?: 'h' | 'v';
  /** Stands for the value in the help. */
  readonly value?: string;
  readonly description: string;
  /** The values that it accepts; anything if undefined. */
  readonly values?: readonly string[];
  /** Whether a command has it; each one does if undefined. */
  readonly of?: (command: Command) => boolean;
}

/** The flags that don't come from a field of the contract. */
export const GLOBAL_FLAGS = {
  data: {
    type: 'string',
    value: 'JSON|@FILE|-',
    description:
      'The body as a JSON object, from a file, or from standard input. Flags of fields take precedence.',
    of: ({ operation }) => operation.body !== undefined,
  },
  all: {
    type: 'boolean',
    description: 'Read every page. --limit sets the rows of each request (default 100).',
    of: ({ paged }) => paged,
  },
  json: { type: 'boolean', description: 'Print JSON, one value per line. This is the default in a pipe.' },
  'dry-run': { type: 'boolean', description: 'Print the request and send nothing. It needs no API key.' },
  mock: {
    type: 'boolean',
    description: 'Call a mock in memory with sample data. It forgets all changes at the end.',
  },
  'base-url': { type: 'string', value: 'URL', description: 'The URL of the API (default CONFAB_BASE_URL).' },
  auth: {
    type: 'string',
    value: 'SCHEME',
    values: ['x-api-key', 'bearer'],
    description: 'The header that carries the API key: x-api-key (default) or bearer.',
  },
  'api-key': {
    type: 'string',
    value: 'KEY',
    description: 'The API key. Set CONFAB_API_KEY instead, because other processes can see arguments.',
  },
  help: { type: 'boolean', short: 'h', description: 'Print this help.' },
  version: { type: 'boolean', short: 'v', description: 'Print the version.' },
} as const satisfies Readonly<Record<string, GlobalFlag>>;

/** The names and flags that a command has in addition to those of its fields. */
export const globalFlagsOf = (command: Command): (readonly [name: string, flag: GlobalFlag])[] =>
  Object.entries<GlobalFlag>(GLOBAL_FLAGS).filter(([, { of }]) => of?.(command) ?? true);
