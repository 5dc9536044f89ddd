import type { MatcherState } from 'vitest';
import type { Wanted } from './wanted.ts';
import { fits } from './wanted.ts';

/** The result of a matcher; vitest 4 does not export this type. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

interface Question {
  /** What is looked for: `request of leads.create`. */
  readonly what: string;
  readonly candidates: readonly unknown[];
  readonly wanted: Wanted;
  /** Further explanations why nothing matches, one per line. */
  readonly hints?: () => readonly string[];
}

/** How many candidates a message shows. */
const SHOWN = 5;

const counted = (count: number, fitting: boolean): string => {
  if (count === 0) {
    return 'there was none';
  }
  if (count === 1) {
    return `there was one${fitting ? '' : ', which does not fit'}:`;
  }
  return `there were ${count}${fitting ? '' : ', none of which fits'}:`;
};

/** Decides whether any candidate matches, and describes the candidates in the message. */
export const judge = (
  state: MatcherState,
  { what, candidates, wanted, hints = () => [] }: Question,
): Verdict => {
  const print = (value: unknown) => state.utils.stringify(value, undefined, { min: true });
  const found = candidates.filter((candidate) => fits(state, candidate, wanted));
  const pass = found.length > 0;
  return {
    pass,
    message: () => {
      const values = Object.keys(wanted).length === 0 ? '' : ` with ${print(wanted)}`;
      const shown = pass ? found : candidates;
      const more = shown.length - SHOWN;
      return [
        `Expected ${pass ? 'no' : 'a'} ${what}${values}; ${counted(shown.length, pass)}`,
        ...shown.slice(-SHOWN).map(print),
        ...(more > 0 ? [`and ${more} before these`] : []),
        ...(pass ? [] : hints()),
      ].join('\n  ');
    },
  };
};
