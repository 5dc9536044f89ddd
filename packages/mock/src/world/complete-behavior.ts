import { namesOf } from '@confab/internal';
import { checkInteger, checkNames, checkWord, OPERATION_IDS, shown } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
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

const NAMES = namesOf<Behavior>({
  order: true,
  search: true,
  messages: true,
  codes: true,
  checks: true,
  input: true,
  funnel: true,
  source: true,
});

const STATUSES: readonly string[] = ['400', '404', '409'];

const checkText = (name: string, value: unknown): void => {
  if (value !== undefined && (typeof value !== 'string' || value === '')) {
    throw invalidArgument(`\`${name}\` must be a non-empty string, got ${shown(value)}`);
  }
};

const checkCodes = (codes: NonNullable<Behavior['codes']>): void => {
  checkNames('operation in behavior.codes', codes, ['*', ...OPERATION_IDS]);
  for (const [operation, byStatus] of Object.entries(codes)) {
    checkNames(`status in behavior.codes["${operation}"]`, byStatus, STATUSES);
    for (const [status, code] of Object.entries(byStatus)) {
      checkText(`behavior.codes["${operation}"][${status}]`, code);
    }
  }
};

const checkOrderOfChecks = (checks: readonly number[]): void => {
  const wanted = DEFAULT_BEHAVIOR.checks;
  const isPermutation =
    Array.isArray(checks) && checks.length === wanted.length && wanted.every((each) => checks.includes(each));
  const first = isPermutation ? checks.find((check) => [401, 429, 403].includes(check)) : 401;
  if (!isPermutation) {
    throw invalidArgument(
      `\`behavior.checks\` must contain each of ${wanted.join(', ')} once, got ${shown(checks)}`,
    );
  }
  if (first !== 401) {
    throw invalidArgument(
      `\`behavior.checks\` must have 401 before 429 and 403, which depend on the key, got ${shown(checks)}`,
    );
  }
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
  checkNames('behavior field', given, NAMES);
  for (const [group, words] of Object.entries(BEHAVIOR_WORDS)) {
    const values: object = Reflect.get(given, group) ?? {};
    const known = group === 'funnel' ? [...Object.keys(words), 'days', 'decimals'] : Object.keys(words);
    checkNames(`behavior.${group} field`, values, known);
    for (const [name, list] of Object.entries(words)) {
      const value: unknown = Reflect.get(values, name);
      if (value !== undefined) {
        checkWord(`value of behavior.${group}.${name}`, value, list);
      }
    }
  }
  checkCodes(given.codes ?? {});
  checkOrderOfChecks(given.checks ?? DEFAULT_BEHAVIOR.checks);
  checkText('behavior.source', given.source);
  const { days, decimals } = given.funnel ?? {};
  if (days !== undefined) {
    checkInteger('`behavior.funnel.days`', days, 1, 3650);
  }
  if (decimals !== undefined) {
    checkInteger('`behavior.funnel.decimals`', decimals, 0, 15);
  }
  const { order, search, messages, codes, checks, input, funnel, source } = DEFAULT_BEHAVIOR;
  return {
    order: { ...order, ...defined(given.order) },
    search: { ...search, ...defined(given.search) },
    messages: { ...messages, ...defined(given.messages) },
    codes: given.codes ?? codes,
    checks: given.checks ?? checks,
    input: { ...input, ...defined(given.input) },
    funnel: { ...funnel, ...defined(given.funnel) },
    source: given.source ?? source,
  };
};
