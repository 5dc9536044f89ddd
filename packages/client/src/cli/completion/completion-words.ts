import { commands, resources } from '../command.ts';
import { tagDescriptions } from '../documented.ts';
import { globalFlagsOf } from '../global-flags.ts';

/** A word that a shell can complete, and what it means. */
export interface Word {
  readonly word: string;
  readonly meaning: string;
}

/** A flag that a shell can complete. */
export interface FlagWord extends Word {
  /** What follows it: nothing, any text, a file after `@`, or one of these values. */
  readonly value: 'none' | 'text' | 'file' | readonly string[];
}

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** A shell that has a completion script. */
export type Shell = (typeof SHELLS)[number];

/** The first sentence, which fits a line. */
const brief = (text: string): string => text.split('. ')[0]?.replace(/\.$/, '') ?? '';

const described = (word: string): string =>
  brief(tagDescriptions[word as keyof typeof tagDescriptions] ?? '');

/** The first words of a command line. */
export const firstWords: readonly Word[] = [
  ...resources.map((word) => ({ word, meaning: described(word) })),
  { word: 'completion', meaning: 'Print a completion script' },
  { word: 'help', meaning: 'Print the help of a command' },
];

/** The words after each first word. */
export const secondWords: readonly (readonly [first: string, words: readonly Word[]])[] = [
  ...resources.map((resource): [string, Word[]] => [
    resource,
    commands
      .filter((command) => command.resource === resource)
      .map(({ method, summary }) => ({ word: method, meaning: summary })),
  ]),
  ['completion', SHELLS.map((word) => ({ word, meaning: `The script for ${word}` }))],
  ['help', resources.map((word) => ({ word, meaning: described(word) }))],
];

/** The flags of each command, by the two words of its name. */
export const flagWords: readonly (readonly [name: string, flags: readonly FlagWord[]])[] = commands.map(
  (command) => [
    command.name,
    [
      ...command.flags.flatMap(({ flag, shape, description, values }): FlagWord[] => {
        const isBoolean = shape.type === 'boolean';
        const value = isBoolean ? 'none' : values.length > 0 ? values : 'text';
        return [
          { word: `--${flag}`, meaning: brief(description), value },
          ...(shape.nullable || isBoolean
            ? [
                {
                  word: `--no-${flag}`,
                  meaning: `Set ${flag} to ${isBoolean ? 'false' : 'null'}`,
                  value: 'none',
                } as const,
              ]
            : []),
        ];
      }),
      ...globalFlagsOf(command).map(([name, { type, values, description }]): FlagWord => {
        const value = name === 'data' ? 'file' : type === 'boolean' ? 'none' : (values ?? 'text');
        return { word: `--${name}`, meaning: brief(description), value };
      }),
    ],
  ],
);

/** The shells that have a completion script. */
export const shells: readonly Shell[] = SHELLS;
