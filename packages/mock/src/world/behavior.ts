import type { OpenEnum, OperationId } from '@confab/client/contract';
import { isPlainObject, objectOf, oneOf, optionProblem } from '@confab/internal';
import type { Check, Checks } from '../errors/check.ts';
import { checkThat, eachOf, integerBetween, isText, OPERATION_IDS, throwIfInvalid } from '../errors/check.ts';
import { LIST_ORDERS } from './store/list-order.ts';
import { withoutUndefined } from './store/row-check.ts';

// Options are open enums, so that TypeScript accepts an imported JSON file. Their values are checked when the mock is
// created.

type Direction = 'asc' | 'desc';

/** How a search compares its text with a field. */
export type SearchMatch = 'part' | 'start' | 'word' | 'whole' | 'none';

/** A status for which the API names no code. */
export type UncodedStatus = 400 | 404 | 409;

/** Error codes by status. */
export type Codes = Readonly<Partial<Record<UncodedStatus, string>>>;

/** The behavior of the service where the API's documentation is silent. Fields that are left out keep their default. */
export interface Behavior {
  /** The field by which each list is sorted, and the direction. With `desc`, the newest of equal rows comes first. */
  readonly order?:
    | {
        /**
         * The order of conversations.
         * @default 'createdAt desc'
         */
        readonly 'conversations.list'?: OpenEnum<`${'createdAt' | 'lastMessageAt'} ${Direction}`> | undefined;
        /**
         * The order of leads.
         * @default 'createdAt desc'
         */
        readonly 'leads.list'?: OpenEnum<`createdAt ${Direction}`> | undefined;
        /**
         * The order of agents.
         * @default 'updatedAt desc'
         */
        readonly 'agents.list'?: OpenEnum<`${'updatedAt' | 'name'} ${Direction}`> | undefined;
      }
    | undefined;
  /**
   * Where the `search` of `leads.list` must match each field: anywhere in it, at its start, as whole words, as the whole
   * field, or nowhere.
   */
  readonly search?:
    | {
        /**
         * How the text is compared with `displayName`.
         * @default 'part'
         */
        readonly displayName?: OpenEnum<SearchMatch> | undefined;
        /**
         * How the text is compared with `email`.
         * @default 'part'
         */
        readonly email?: OpenEnum<SearchMatch> | undefined;
        /**
         * How the text is compared with `phone`.
         * @default 'part'
         */
        readonly phone?: OpenEnum<SearchMatch> | undefined;
        /**
         * Whether upper and lower case are the same.
         * @default true
         */
        readonly ignoreCase?: boolean | undefined;
      }
    | undefined;
  /** The messages of `conversations.get`. */
  readonly messages?:
    | {
        /**
         * Which messages `messagesLimit` keeps.
         * @default 'latest'
         */
        readonly select?: OpenEnum<'latest' | 'earliest'> | undefined;
        /**
         * The order by `createdAt`.
         * @default 'asc'
         */
        readonly order?: OpenEnum<'asc' | 'desc'> | undefined;
      }
    | undefined;
  /**
   * The codes of 400, 404 and 409, for one operation or for all (`'*'`), including unknown paths.
   * @default `INVALID_PARAMETERS`, `NOT_FOUND` and `ALREADY_EXISTS`
   */
  readonly codes?: Readonly<Partial<Record<OperationId | '*', Codes>>> | undefined;
  /**
   * The order of checks, by the status of their errors. 401 comes before 429 and 403, and 409 comes last.
   * @default [401, 429, 403, 400, 404]
   */
  readonly checks?: readonly number[] | undefined;
  /** The response to input that breaks the contract. */
  readonly input?:
    | {
        /**
         * Query parameters that the operation does not have.
         * @default 'refused'
         */
        readonly unknownQuery?: OpenEnum<'refused' | 'ignored'> | undefined;
        /**
         * Fields that the body of the operation does not have.
         * @default 'refused'
         */
        readonly unknownBody?: OpenEnum<'refused' | 'ignored'> | undefined;
        /**
         * A `limit`, `offset` or `messagesLimit` beyond its bounds is refused, or clamped to the nearest bound.
         * @default 'refused'
         */
        readonly outOfRange?: OpenEnum<'refused' | 'clamped'> | undefined;
      }
    | undefined;
  /** The counts and the rate of `analytics.funnel`. */
  readonly funnel?:
    | {
        /**
         * The number of days from the start of the range to `to`, when `from` is left out.
         * @default 30
         */
        readonly days?: number | undefined;
        /**
         * What `newLeads` counts: all leads created in the range, or only those with the status `new`.
         * @default 'created'
         */
        readonly newLeads?: OpenEnum<'created' | 'status'> | undefined;
        /**
         * What the other counts contain: only leads with that status, or also leads with a later one.
         * @default 'status'
         */
        readonly counts?: OpenEnum<'status' | 'reached'> | undefined;
        /**
         * The count that `converted` is divided by for the `conversionRate`. `all` counts the leads created in the range.
         * @default 'all'
         */
        readonly divideBy?: OpenEnum<'all' | 'newLeads' | 'activeLeads' | 'qualified'> | undefined;
        /**
         * Whether the `conversionRate` is a percentage.
         * @default false
         */
        readonly percent?: boolean | undefined;
        /**
         * Decimals that the `conversionRate` is rounded to.
         * @default no rounding
         */
        readonly decimals?: number | undefined;
      }
    | undefined;
  /**
   * The `source` of a lead that is created without one.
   * @default 'api'
   */
  readonly source?: string | undefined;
}

type Complete<Group extends 'order' | 'search' | 'messages' | 'input' | 'funnel'> = {
  readonly [Name in keyof NonNullable<Behavior[Group]>]-?: NonNullable<NonNullable<Behavior[Group]>[Name]>;
};

/** A {@link Behavior} with its defaults. */
export interface CompleteBehavior {
  readonly order: Complete<'order'>;
  readonly search: Complete<'search'>;
  readonly messages: Complete<'messages'>;
  readonly codes: NonNullable<Behavior['codes']>;
  readonly checks: readonly (401 | 429 | 403 | 400 | 404)[];
  readonly input: Complete<'input'>;
  readonly funnel: Omit<Complete<'funnel'>, 'decimals'> & { readonly decimals: number | undefined };
  readonly source: string;
}

/** How a search can compare its text with a field. */
const SEARCH_MATCHES = ['part', 'start', 'word', 'whole', 'none'] as const;

const REFUSED_OR_IGNORED = ['refused', 'ignored'] as const;

/** The values of each option that has a fixed set of them. The first one is the default. */
export const BEHAVIOR_WORDS = {
  order: LIST_ORDERS,
  search: {
    displayName: SEARCH_MATCHES,
    email: SEARCH_MATCHES,
    phone: SEARCH_MATCHES,
    ignoreCase: [true, false],
  },
  messages: { select: ['latest', 'earliest'], order: ['asc', 'desc'] },
  input: {
    unknownQuery: REFUSED_OR_IGNORED,
    unknownBody: REFUSED_OR_IGNORED,
    outOfRange: ['refused', 'clamped'],
  },
  funnel: {
    newLeads: ['created', 'status'],
    counts: ['status', 'reached'],
    divideBy: ['all', 'newLeads', 'activeLeads', 'qualified'],
    percent: [false, true],
  },
} as const;

type Words = Readonly<Record<string, readonly unknown[]>>;

type FirstWords<Group extends Words> = { readonly [Name in keyof Group]: Group[Name][0] };

const firstWords = <Group extends Words>(words: Group): FirstWords<Group> =>
  Object.fromEntries(Object.entries(words).map(([name, [first]]) => [name, first])) as FirstWords<Group>;

export const DEFAULT_BEHAVIOR: CompleteBehavior = {
  order: firstWords(BEHAVIOR_WORDS.order),
  search: firstWords(BEHAVIOR_WORDS.search),
  messages: firstWords(BEHAVIOR_WORDS.messages),
  codes: {},
  checks: [401, 429, 403, 400, 404],
  input: firstWords(BEHAVIOR_WORDS.input),
  funnel: { ...firstWords(BEHAVIOR_WORDS.funnel), days: 30, decimals: undefined },
  source: 'api',
};

/** Accepts an object with some of these fields. */
const groupCheck = (words: Words, more: object = {}): Check => {
  const checks = Object.entries(words).map(([name, known]) => [name, oneOf(...known)]);
  return objectOf<object>('an object', { ...Object.fromEntries(checks), ...more });
};

const { checks: CHECK_ORDER } = DEFAULT_BEHAVIOR;

export const areChecks = checkThat(
  (checks) =>
    Array.isArray(checks) &&
    checks.length === CHECK_ORDER.length &&
    CHECK_ORDER.every((check) => checks.includes(check)) &&
    checks.indexOf(401) < Math.min(checks.indexOf(429), checks.indexOf(403)),
  `an array of ${CHECK_ORDER.join(', ')}, each once, with 401 before 429 and 403, which depend on the key`,
);

const CHECKS: Checks<Behavior> = {
  order: groupCheck(BEHAVIOR_WORDS.order),
  search: groupCheck(BEHAVIOR_WORDS.search),
  messages: groupCheck(BEHAVIOR_WORDS.messages),
  codes: eachOf(['*', ...OPERATION_IDS], eachOf(['400', '404', '409'], isText)),
  checks: areChecks,
  input: groupCheck(BEHAVIOR_WORDS.input),
  funnel: groupCheck(BEHAVIOR_WORDS.funnel, {
    days: integerBetween(1, 3650),
    decimals: integerBetween(0, 15),
  }),
  source: isText,
};

/**
 * Completes a behavior with its defaults.
 *
 * @throws A {@link MockError} `INVALID_ARGUMENT`, when a name or value is unknown.
 */
export const toBehavior = (given: Behavior = {}): CompleteBehavior => {
  throwIfInvalid(optionProblem('behavior field', given, CHECKS, { prefix: 'behavior.' }));
  const complete = Object.entries(DEFAULT_BEHAVIOR).map(([name, usual]) => {
    const value = Reflect.get(given, name);
    return [name, isPlainObject(usual) ? { ...usual, ...withoutUndefined(value ?? {}) } : (value ?? usual)];
  });
  // A copy, so that later changes of the options have no effect.
  return structuredClone(Object.fromEntries(complete));
};
