import { objectOf, optionProblem } from '@confab/internal';
import type { Check, Checks } from '../errors/check.ts';
import { integerFrom, must, OPERATION_IDS, oneOf, refuse } from '../errors/check.ts';
import type { Behavior, SearchMatch } from './behavior.ts';

type Funnel = NonNullable<Behavior['funnel']>;

type Complete<T> = { readonly [Name in keyof T]-?: NonNullable<T[Name]> };

/** A {@link Behavior} with its defaults. */
export interface CompleteBehavior {
  readonly order: Complete<NonNullable<Behavior['order']>>;
  readonly search: Complete<NonNullable<Behavior['search']>>;
  readonly messages: Complete<NonNullable<Behavior['messages']>>;
  readonly codes: NonNullable<Behavior['codes']>;
  readonly checks: readonly number[];
  readonly input: Complete<NonNullable<Behavior['input']>>;
  readonly funnel: Complete<Omit<Funnel, 'decimals'>> & { readonly decimals: number | undefined };
  readonly source: string;
}

/** What the mock does by default. */
export const DEFAULT_BEHAVIOR: CompleteBehavior = {
  order: {
    'conversations.list': 'createdAt desc',
    'leads.list': 'createdAt desc',
    'agents.list': 'updatedAt desc',
  },
  search: { displayName: 'part', email: 'part', phone: 'part', ignoreCase: true },
  messages: { select: 'latest', order: 'asc' },
  codes: {},
  checks: [401, 429, 403, 400, 404],
  input: { unknownQuery: 'refused', unknownBody: 'refused', outOfRange: 'refused' },
  funnel: {
    days: 30,
    newLeads: 'created',
    counts: 'status',
    divideBy: 'all',
    percent: false,
    decimals: undefined,
  },
  source: 'api',
};

const ordersBy = (...fields: readonly string[]): string[] =>
  fields.flatMap((field) => [`${field} asc`, `${field} desc`]);

/** How a search can compare its text with a field. */
const SEARCH_MATCHES: readonly SearchMatch[] = ['part', 'start', 'word', 'whole', 'none'];

const REFUSED_OR_IGNORED = ['refused', 'ignored'];
const BOOLEANS = [true, false];

/** The words of each option that has a fixed set of them, the default included. */
export const BEHAVIOR_WORDS = {
  order: {
    'conversations.list': ordersBy('createdAt', 'lastMessageAt'),
    'leads.list': ordersBy('createdAt'),
    'agents.list': ordersBy('updatedAt', 'name'),
  },
  search: {
    displayName: SEARCH_MATCHES,
    email: SEARCH_MATCHES,
    phone: SEARCH_MATCHES,
    ignoreCase: BOOLEANS,
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
    percent: BOOLEANS,
  },
} as const;

const checkEach = (names: readonly string[], check: Check): Readonly<Record<string, Check>> =>
  Object.fromEntries(names.map((name) => [name, check]));

/** Accepts an object with some of these fields. */
const groupOf = (words: Readonly<Record<string, readonly unknown[]>>, more: object = {}): Check =>
  objectOf<object>('an object', {
    ...Object.fromEntries(Object.entries(words).map(([name, known]) => [name, oneOf(...known)])),
    ...more,
  });

const isText = must((value) => typeof value === 'string' && value !== '', 'a non-empty string');

export const areChecks: Check = (name, checks) => {
  const all = DEFAULT_BEHAVIOR.checks;
  const isPermutation = (value: unknown): value is number[] =>
    Array.isArray(value) && value.length === all.length && all.every((each) => value.includes(each));
  const isKeyFirst = (value: unknown) =>
    isPermutation(value) && value.find((check) => [401, 429, 403].includes(check)) === 401;
  return (
    must(isPermutation, `an array of ${all.join(', ')}, each once`)(name, checks) ??
    must(isKeyFirst, 'in an order with 401 before 429 and 403, which depend on the key')(name, checks)
  );
};

const CHECKS: Checks<Behavior> = {
  order: groupOf(BEHAVIOR_WORDS.order),
  search: groupOf(BEHAVIOR_WORDS.search),
  messages: groupOf(BEHAVIOR_WORDS.messages),
  codes: objectOf<object>(
    'an object',
    checkEach(
      ['*', ...OPERATION_IDS],
      objectOf<object>('an object', checkEach(['400', '404', '409'], isText)),
    ),
  ),
  checks: areChecks,
  input: groupOf(BEHAVIOR_WORDS.input),
  funnel: groupOf(BEHAVIOR_WORDS.funnel, { days: integerFrom(1, 3650), decimals: integerFrom(0, 15) }),
  source: isText,
};

/** The values of a group; one that is undefined is left out. */
const defined = <T extends object>(values: T | undefined): Complete<T> =>
  Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== undefined)) as Complete<T>;

/**
 * Completes a behavior with its defaults.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when a name or value is unknown.
 */
export const toBehavior = (given: Behavior = {}): CompleteBehavior => {
  refuse(optionProblem('behavior field', given, CHECKS, { prefix: 'behavior.' }));
  const { order, search, messages, codes, checks, input, funnel, source } = DEFAULT_BEHAVIOR;
  return {
    order: { ...order, ...defined(given.order) },
    search: { ...search, ...defined(given.search) },
    messages: { ...messages, ...defined(given.messages) },
    // Copies, so that later changes of the options have no effect.
    codes: structuredClone(given.codes ?? codes),
    checks: [...(given.checks ?? checks)],
    input: { ...input, ...defined(given.input) },
    funnel: { ...funnel, ...defined(given.funnel) },
    source: given.source ?? source,
  };
};
