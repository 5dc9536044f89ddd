import { didYouMean, UsageError } from '@confab/internal/cli';

/** A flag: how its value is read, and what the help says about it. */
export interface Flag<T> {
  /** Stands for the value in the help, such as `SECONDS`. A flag without it is either given or not. */
  readonly placeholder?: string | undefined;
  /** What it does, in whole sentences. */
  readonly description: string;
  /** The values that it accepts, as the help says it. */
  readonly accepts?: string | undefined;
  /** Whether it may be given several times. */
  readonly repeats?: boolean | undefined;
  /** The value if it is not given. */
  readonly fallback: T;
  /**
   * Reads the texts that were given.
   *
   * @param label The name of the flag in messages: `--seeds`.
   * @throws {@link UsageError} When one is invalid.
   */
  readonly read: (texts: readonly string[], label: string) => T;
}

/** A flag that is given or not. */
export const toggle = (description: string): Flag<boolean> => ({
  description,
  fallback: false,
  read: () => true,
});

interface Described {
  readonly placeholder: string;
  readonly description: string;
}

interface NumberOptions<Fallback> extends Described {
  readonly least: number;
  readonly most: number;
  readonly fallback?: Fallback;
}

/** Only digits: `Number` also accepts an empty text, exponents and hexadecimal digits. */
const PATTERNS = { 'a whole number': /^\d+$/, 'a number': /^\d+(?:\.\d+)?$/ } as const;

const numeric =
  (kind: keyof typeof PATTERNS) =>
  <const Fallback extends number | undefined = undefined>(
    options: NumberOptions<Fallback>,
  ): Flag<number | Fallback> => {
    const { placeholder, description, least, most, fallback } = options;
    const range = `${kind} from ${least} to ${most}`;
    return {
      placeholder,
      description,
      accepts: `${range.charAt(0).toUpperCase()}${range.slice(1)}.`,
      fallback: fallback as Fallback,
      read: ([text = ''], label) => {
        const value = Number(text);
        if (!PATTERNS[kind].test(text) || value < least || value > most) {
          throw new UsageError(`${label} must be ${range}, got ${JSON.stringify(text)}.`);
        }
        return value;
      },
    };
  };

/** A flag whose value is a whole number. */
export const whole = numeric('a whole number');

/** A flag whose value is a number that may have a fraction. */
export const decimal = numeric('a number');

/** A flag whose value is any text. */
export const text = (options: Described): Flag<string | undefined> => ({
  ...options,
  fallback: undefined,
  read: ([given]) => given,
});

/** A flag that collects texts. */
export const texts = (options: Described): Flag<readonly string[] | undefined> => ({
  ...options,
  accepts: 'Repeat it for each one.',
  repeats: true,
  fallback: undefined,
  read: (given) => given,
});

/** A flag whose value is one of several words. */
export const oneOf = <const Word extends string>({
  words,
  ...described
}: Described & { readonly words: readonly Word[] }): Flag<Word | undefined> => ({
  ...described,
  accepts: `One of ${words.join(', ')}.`,
  fallback: undefined,
  read: ([given = ''], label) => {
    const word = words.find((known) => known === given);
    if (word === undefined) {
      const list = `${label} must be one of ${words.join(', ')}, got ${JSON.stringify(given)}.`;
      throw new UsageError(`${list} ${didYouMean(given, words)}`);
    }
    return word;
  },
});
