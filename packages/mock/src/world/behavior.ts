import type { OpenEnum, OperationId } from '@confab/client/contract';

// Words are open enums, so that TypeScript accepts an imported JSON file. They are checked when the mock is created.

type Direction = 'asc' | 'desc';

/** How a search compares its text with a field. */
export type SearchMatch = 'part' | 'start' | 'word' | 'whole' | 'none';

/** A status for which the API names no code. */
export type UncodedStatus = 400 | 404 | 409;

/** Error codes by status. */
export type Codes = Readonly<Partial<Record<UncodedStatus, string>>>;

/** The behavior of the service where the API's documentation is silent. Fields that are left out keep their default. */
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
