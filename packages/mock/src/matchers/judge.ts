import { equalsOf } from './equals.ts';
import type { RunnerState } from './runner.ts';
import { isAsymmetric, print } from './runner.ts';
import type { Wanted } from './wanted.ts';
import { fits } from './wanted.ts';

/** The result of a matcher. */
export interface Verdict {
  /** Whether anything matches. */
  pass: boolean;
  /** Describes the failure, of the assertion or of its negation. */
  message: () => string;
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
  state: RunnerState,
  { what, candidates, wanted, hints = () => [] }: Question,
): Verdict => {
  const equals = equalsOf(state);
  const found = candidates.filter((candidate) => fits(equals, candidate, wanted));
  const pass = found.length > 0;
  return {
    pass,
    message: () => {
      const anything = !isAsymmetric(wanted) && Object.keys(wanted).length === 0;
      const values = anything ? '' : ` with ${print(state, wanted)}`;
      const shown = pass ? found : candidates;
      const more = shown.length - SHOWN;
      return [
        `Expected ${pass ? 'no' : 'a'} ${what}${values}; ${counted(shown.length, pass)}`,
        ...shown.slice(-SHOWN).map((candidate) => print(state, candidate)),
        ...(more > 0 ? [`and ${more} before these`] : []),
        ...(pass ? [] : hints()),
      ].join('\n  ');
    },
  };
};
