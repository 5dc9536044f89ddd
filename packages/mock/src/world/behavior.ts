import type { OpenEnum, OperationId } from '@confab/client/contract';
import { namesOf } from '@confab/internal';
import { checkNames, checkWhole, checkWord, OPERATION_IDS, shown } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';

// Words are open enums, so that TypeScript accepts an imported JSON file. They are checked when the mock is created.

type Direction = 'asc' | 'desc';

/** How a search compares its text with a field. */
export type SearchMatch = 'part' | 'start' | 'word' | 'whole' | 'none';

/** A status for which the API names no code. */
export type UncodedStatus = 400 | 404 | 409;

/** Error codes by status. */
export type Codes = Readonly<Partial<Record<UncodedStatus, string>>>;

/** What the service does where the API's documentation is silent. Whatever is left out stays as it is. */
export interface Behavior {
  /** The field by which each list is sorted, and the direction. Among equal values, `desc` has the newest row first. */
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
   * What the `search` of `leads.list` compares with each field: any part of it, its start, whole words, all of it, or
   * nothing.
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
   * The codes of 400, 404 and 409: of one operation, or of all (`'*'`), unknown paths included.
   * @default `INVALID_PARAMETERS`, `NOT_FOUND` and `ALREADY_EXISTS`
   */
  readonly codes?: Readonly<Partial<Record<OperationId | '*', Codes>>> | undefined;
  /**
   * The order of checks, by the status of their errors. 401 comes before 429 and 403, and 409 comes last.
   * @default [401, 429, 403, 400, 404]
   */
  readonly checks?: readonly number[] | undefined;
  /** Input that breaks the contract. */
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
         * A `limit`, `offset` or `messagesLimit` beyond its bounds: refused, or moved to the nearest bound.
         * @default 'refused'
         */
        readonly outOfRange?: OpenEnum<'refused' | 'clamped'> | undefined;
      }
    | undefined;
  /** The counts and the rate of `analytics.funnel`. */
  readonly funnel?:
    | {
        /**
         * Days before `to` at which the range begins without `from`.
         * @default 30
         */
        readonly days?: number | undefined;
        /**
         * What `newLeads` counts: all leads created in the range, or only those with the status `new`.
         * @default 'created'
         */
        readonly newLeads?: OpenEnum<'created' | 'status'> | undefined;
        /**
         * What the other counts contain: leads with that status, or also leads with a later one.
         * @default 'status'
         */
        readonly counts?: OpenEnum<'status' | 'reached'> | undefined;
        /**
         * The count that `converted` is divided by for the `conversionRate`; `all` is the leads created in the range.
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
         * @default as many as a number has
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
    throw invalidArgument(`\`${name}\` must be a string that is not empty, got ${shown(value)}`);
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
    checkWhole('`behavior.funnel.days`', days, 1, 3650);
  }
  if (decimals !== undefined) {
    checkWhole('`behavior.funnel.decimals`', decimals, 0, 15);
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
