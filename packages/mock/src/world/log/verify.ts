import { checkNames } from '../../checks/check-names.ts';
import { checkWhole } from '../../checks/check-number.ts';
import { invalidArgument } from '../../errors/invalid-argument.ts';
import { MockError } from '../../errors/mock-error.ts';
import type { LoggedRequest } from './logged-request.ts';
import type { RequestExpectation, RequestPattern } from './request-pattern.ts';
import { matching, PATTERN_FIELDS } from './request-pattern.ts';

const COUNTS = ['times', 'atLeast', 'atMost'] as const;

/** Characters of a request or a pattern in a message. */
const SHOWN = 300;

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
};

const counted = (count: number): string => `${count} request${count === 1 ? '' : 's'}`;

const boundsOf = (expectation: RequestExpectation): { readonly least: number; readonly most: number } => {
  const { times, atLeast, atMost } = expectation;
  for (const name of COUNTS) {
    const count = expectation[name];
    if (count !== undefined) {
      checkWhole(`\`${name}\``, count, 0);
    }
  }
  if (times !== undefined && (atLeast !== undefined || atMost !== undefined)) {
    throw invalidArgument('requests.verify() was called with `times` and a range. Pass either of them.');
  }
  return {
    least: times ?? atLeast ?? (atMost === undefined ? 1 : 0),
    most: times ?? atMost ?? Number.POSITIVE_INFINITY,
  };
};

const wantedText = (least: number, most: number): string => {
  if (least === most) {
    return `exactly ${counted(least)}`;
  }
  if (most === Number.POSITIVE_INFINITY) {
    return `at least ${counted(least)}`;
  }
  return least === 0 ? `at most ${counted(most)}` : `${least} to ${counted(most)}`;
};

/** The latest request of the same operation, which shows how the expected one differs. */
const nearest = (requests: readonly LoggedRequest[], { operation }: RequestPattern): string => {
  const candidates = requests.filter((request) => operation === undefined || request.operation === operation);
  const latest = candidates.at(-1);
  if (latest === undefined) {
    return operation === undefined
      ? 'The mock received no requests.'
      : `The mock received ${counted(requests.length)}, but no ${operation}.`;
  }
  const { method, path, query, body, status } = latest;
  return `The latest ${operation ?? 'request'} was ${method} ${path} with ${shown({ query, body, status })}.`;
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
    `Expected ${wantedText(least, most)} matching ${shown(pattern)}, but ${count} matched.${hint}`,
  );
};
