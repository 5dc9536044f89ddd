import { checkNames } from '../../checks/check-names.ts';
import { checkWhole } from '../../checks/check-number.ts';
import { counted } from '../../checks/counted.ts';
import { shown } from '../../checks/shown.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import { MockError } from '../../errors/mock-error.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { RequestExpectation, RequestPattern } from './request-pattern.ts';
import { matching, PATTERN_FIELDS } from './request-pattern.ts';

const COUNTS = ['times', 'atLeast', 'atMost'] as const;

/** Characters of a request or a pattern in a message. */
const SHOWN = 300;

interface Bounds {
  readonly least: number;
  readonly most: number;
}

const range = (min: number | undefined, max: number | undefined): Bounds => ({
  least: min ?? (max === undefined ? 1 : 0),
  most: max ?? Number.POSITIVE_INFINITY,
});

const checkCount = (name: string, count: number | undefined): void => {
  if (count !== undefined) {
    checkWhole(`\`${name}\``, count, 0);
  }
};

const boundsOf = ({ times, atLeast, atMost }: RequestExpectation): Bounds => {
  if (times !== undefined && (atLeast !== undefined || atMost !== undefined)) {
    throw invalidArgument('requests.verify() was called with `times` and a range. Pass either of them.');
  }
  if (typeof times === 'object' && times !== null) {
    checkNames('field of times', times, ['min', 'max']);
    checkCount('times.min', times.min);
    checkCount('times.max', times.max);
    return range(times.min, times.max);
  }
  checkCount('times', times);
  checkCount('atLeast', atLeast);
  checkCount('atMost', atMost);
  return times === undefined ? range(atLeast, atMost) : range(times, times);
};

const wantedText = (least: number, most: number): string => {
  if (least === most) {
    return `exactly ${counted(least, 'request')}`;
  }
  if (most === Number.POSITIVE_INFINITY) {
    return `at least ${counted(least, 'request')}`;
  }
  return least === 0 ? `at most ${counted(most, 'request')}` : `${least} to ${counted(most, 'request')}`;
};

/** The latest request of the same operation, which shows how the expected one differs. */
const nearest = (requests: readonly LoggedRequest[], { operation }: RequestPattern): string => {
  const candidates = requests.filter((request) => operation === undefined || request.operation === operation);
  const latest = candidates.at(-1);
  if (latest === undefined) {
    return requests.length === 0
      ? 'The mock received no requests.'
      : `The mock received ${counted(requests.length, 'request')}, but no ${operation}.`;
  }
  const { method, path, query, body, status } = latest;
  return `The latest ${operation ?? 'request'} was ${method} ${path} with ${shown({ query, body, status }, SHOWN)}.`;
};

/**
 * Checks how many requests match a pattern, and returns their number.
 *
 * @throws {@link MockError} `VERIFICATION_FAILED`, when too few or too many match.
 * @throws {@link MockError} `INVALID_ARGUMENT`, when the expectation is invalid.
 */
export const verify = (requests: readonly LoggedRequest[], expectation: RequestExpectation): number => {
  checkNames('field of requests.verify()', expectation, [...PATTERN_FIELDS, ...COUNTS]);
  const { least, most } = boundsOf(expectation);
  const { times: _, atLeast: __, atMost: ___, ...pattern } = expectation;
  const count = matching(requests, pattern).length;
  if (count >= least && count <= most) {
    return count;
  }
  const hint = count < least ? ` ${nearest(requests, pattern)}` : '';
  throw new MockError(
    'VERIFICATION_FAILED',
    `Expected ${wantedText(least, most)} matching ${shown(pattern, SHOWN)}, but ${count} matched.${hint}`,
  );
};
