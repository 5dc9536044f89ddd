import { isObject } from '@confab/internal';
import type { RequestExpectation } from '../world/log/pattern.ts';
import { describeBounds, toBounds } from '../world/log/pattern.ts';
import type { RunnerState } from './runner.ts';
import { equals, isAsymmetric, print } from './runner.ts';

/** The expected values of a request or an event: values by name, or a matcher such as `expect.objectContaining(…)`. */
export type Wanted =
  | Readonly<Record<string, unknown>>
  | {
      /** Returns whether a value matches. */
      asymmetricMatch(other: unknown): boolean;
    };

/** The result of a matcher. */
export interface Verdict {
  /** Whether anything matches. */
  pass: boolean;
  /** Describes the failure, of the assertion or of its negation. */
  message: () => string;
}

/** Describes how a value differs from the expected ones, one line per field. */
export const differences = (state: RunnerState, value: unknown, wanted: Wanted): readonly string[] => {
  if (isAsymmetric(wanted)) {
    return equals(state, value, wanted) ? [] : [`expected ${print(state, wanted)}`];
  }
  const fields: object = Object(value);
  return Object.entries(wanted).flatMap(([name, part]) => {
    const isThere = isObject(value) && Object.hasOwn(value, name);
    const actual = Reflect.get(fields, name);
    const end = isThere ? `got ${print(state, actual)}` : 'but it is missing';
    return isThere && equals(state, actual, part) ? [] : [`${name}: expected ${print(state, part)}, ${end}`];
  });
};

/** Describes the candidate that differs least, the latest if there are several, and its differences. */
const describeNearest = (
  state: RunnerState,
  candidates: readonly unknown[],
  wanted: Wanted,
): readonly string[] => {
  const compared = candidates.map((candidate) => ({
    candidate,
    lines: differences(state, candidate, wanted),
  }));
  const least = Math.min(...compared.map(({ lines }) => lines.length));
  const nearest = compared.findLast(({ lines }) => lines.length === least);
  return nearest === undefined
    ? []
    : [print(state, nearest.candidate), ...nearest.lines.map((line) => `  ${line}`)];
};

/** The events or requests that a matcher looks for. */
export interface Search {
  readonly noun: 'request' | 'delivery' | 'pending delivery';
  /** The name of the operation or event. */
  readonly name: string;
  readonly candidates: readonly unknown[];
  readonly wanted: Wanted;
  /** How many must match; at least one if `undefined`. */
  readonly times?: RequestExpectation['times'];
  /** Returns further explanations of the verdict, one per line. */
  readonly hints: (pass: boolean) => readonly string[];
}

/** The maximum number of matching candidates in a message. */
const MAX_SHOWN = 5;

/** Describes how many candidates there were. */
const describeCount = (count: number, matches: boolean): string => {
  if (count === 0) {
    return 'there was none';
  }
  if (count === 1) {
    return `there was one${matches ? '' : ', which does not fit'}:`;
  }
  return `there were ${count}${matches ? '' : ', none of which fits. The nearest'}:`;
};

/** Decides whether enough candidates match. The message shows the matching ones, or otherwise the nearest one. */
export const judge = (state: RunnerState, search: Search): Verdict => {
  const { noun, name, candidates, wanted, times, hints } = search;
  const matching = candidates.filter((candidate) => differences(state, candidate, wanted).length === 0);
  const count = matching.length;
  const [min, max] = toBounds('toHaveReceived()', { times });
  const pass = count >= min && count <= max;
  return {
    pass,
    message: () => {
      const anything = !isAsymmetric(wanted) && Object.keys(wanted).length === 0;
      const values = anything ? '' : ` with ${print(state, wanted)}`;
      const number =
        times === undefined
          ? `${pass ? 'no' : 'a'} ${noun}`
          : `${pass ? 'not ' : ''}${describeBounds(min, max)}`;
      const more = count - MAX_SHOWN;
      return [
        `Expected ${number} of ${name}${values}; ${describeCount(count || candidates.length, count > 0)}`,
        ...matching.slice(-MAX_SHOWN).map((candidate) => print(state, candidate)),
        ...(more > 0 ? [`and ${more} before these`] : []),
        ...(count === 0 ? describeNearest(state, candidates, wanted) : []),
        ...hints(pass),
      ].join('\n  ');
    },
  };
};
