import { objectOf, optionProblem } from '@confab/internal';
import type { Check, Checks } from '../errors/check.ts';
import { eachOf, integerFrom, isText, must, OPERATION_IDS, oneOf, refuse } from '../errors/check.ts';
import type { Behavior } from './behavior.ts';
import { defined } from './store/collection.ts';

type Complete<Group extends 'order' | 'search' | 'messages' | 'input' | 'funnel'> = {
  readonly [Name in keyof NonNullable<Behavior[Group]>]-?: NonNullable<NonNullable<Behavior[Group]>[Name]>;
};

/** A {@link Behavior} with its defaults. */
export interface CompleteBehavior {
  readonly order: Complete<'order'>;
  readonly search: Complete<'search'>;
  readonly messages: Complete<'messages'>;
  readonly codes: NonNullable<Behavior['codes']>;
  readonly checks: readonly number[];
  readonly input: Complete<'input'>;
  readonly funnel: Omit<Complete<'funnel'>, 'decimals'> & { readonly decimals: number | undefined };
  readonly source: string;
}

/** How a search can compare its text with a field. */
const SEARCH_MATCHES = ['part', 'start', 'word', 'whole', 'none'] as const;

const REFUSED_OR_IGNORED = ['refused', 'ignored'] as const;

/** The words of each option that has a fixed set of them. The first one is the default. */
export const BEHAVIOR_WORDS = {
  order: {
    'conversations.list': ['createdAt desc', 'createdAt asc', 'lastMessageAt desc', 'lastMessageAt asc'],
    'leads.list': ['createdAt desc', 'createdAt asc'],
    'agents.list': ['updatedAt desc', 'updatedAt asc', 'name desc', 'name asc'],
  },
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

type FirstOf<Group extends Words> = { readonly [Name in keyof Group]: Group[Name][0] };

const firstOf = <Group extends Words>(words: Group): FirstOf<Group> =>
  Object.fromEntries(Object.entries(words).map(([name, [first]]) => [name, first])) as FirstOf<Group>;

/** What the mock does by default. */
export const DEFAULT_BEHAVIOR: CompleteBehavior = {
  order: firstOf(BEHAVIOR_WORDS.order),
  search: firstOf(BEHAVIOR_WORDS.search),
  messages: firstOf(BEHAVIOR_WORDS.messages),
  codes: {},
  checks: [401, 429, 403, 400, 404],
  input: firstOf(BEHAVIOR_WORDS.input),
  funnel: { ...firstOf(BEHAVIOR_WORDS.funnel), days: 30, decimals: undefined },
  source: 'api',
};

/** Accepts an object with some of these fields. */
const groupOf = (words: Words, more: object = {}): Check => {
  const checks = Object.entries(words).map(([name, known]) => [name, oneOf(...known)]);
  return objectOf<object>('an object', { ...Object.fromEntries(checks), ...more });
};

const { checks: CHECK_ORDER } = DEFAULT_BEHAVIOR;

export const areChecks = must(
  (checks) =>
    Array.isArray(checks) &&
    checks.length === CHECK_ORDER.length &&
    CHECK_ORDER.every((check) => checks.includes(check)) &&
    checks.indexOf(401) < Math.min(checks.indexOf(429), checks.indexOf(403)),
  `an array of ${CHECK_ORDER.join(', ')}, each once, with 401 before 429 and 403, which depend on the key`,
);

const CHECKS: Checks<Behavior> = {
  order: groupOf(BEHAVIOR_WORDS.order),
  search: groupOf(BEHAVIOR_WORDS.search),
  messages: groupOf(BEHAVIOR_WORDS.messages),
  codes: eachOf(['*', ...OPERATION_IDS], eachOf(['400', '404', '409'], isText)),
  checks: areChecks,
  input: groupOf(BEHAVIOR_WORDS.input),
  funnel: groupOf(BEHAVIOR_WORDS.funnel, { days: integerFrom(1, 3650), decimals: integerFrom(0, 15) }),
  source: isText,
};

/**
 * Completes a behavior with its defaults.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a name or value is unknown.
 */
export const toBehavior = (given: Behavior = {}): CompleteBehavior => {
  refuse(optionProblem('behavior field', given, CHECKS, { prefix: 'behavior.' }));
  const { order, search, messages, codes, checks, input, funnel, source } = DEFAULT_BEHAVIOR;
  // A copy, so that later changes of the options have no effect.
  return structuredClone({
    order: { ...order, ...defined(given.order ?? {}) },
    search: { ...search, ...defined(given.search ?? {}) },
    messages: { ...messages, ...defined(given.messages ?? {}) },
    codes: given.codes ?? codes,
    checks: given.checks ?? checks,
    input: { ...input, ...defined(given.input ?? {}) },
    funnel: { ...funnel, ...defined(given.funnel ?? {}) },
    source: given.source ?? source,
  }) as CompleteBehavior;
};
