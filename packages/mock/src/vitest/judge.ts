import type { MatcherState } from 'vitest';
import type { Wanted } from './wanted.ts';
import { fits } from './wanted.ts';

/** What a matcher found; vitest 4 has no name for it. */
export interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

interface Question {
  /** `request of leads.create`. */
  readonly what: string;
  readonly candidates: readonly unknown[];
  readonly wanted: Wanted;
  /** What else may explain that there is none, a line each. */
  readonly hints?: () => readonly string[];
}

/** Shown at most: enough to see what is wrong, few enough to be read. */
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

/** Says whether some candidate has what is wanted, and what there was instead. */
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
