/** How a client of the scenario keeps to the rate limit. */
export type Pace =
  | { readonly kind: 'learn' | 'none' | 'fleet' }
  | { readonly kind: 'fixed'; readonly requests: number; readonly perMs: number };

/** A process that calls the API. */
export interface ClientPlan {
  readonly pace: Pace;
  readonly concurrency: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly deadline: number | false;
  readonly retry: { readonly limit: number; readonly maxRetryAfter: number } | false;
  /** Milliseconds by which its clock is wrong. */
  readonly skewMs: number;
  /** The probability that its `apiKey` function hangs while faults last. */
  readonly keyHangs: number;
  /** Milliseconds that its `apiKey` function takes at most, while faults last. */
  readonly keyMs: number;
}

/** How deliveries are signed and received. */
export interface HookPlan {
  readonly scheme: 'standard' | 'timestamped' | 'plain';
  /** Whether receivers run the handlers, or put deliveries into a queue for workers. */
  readonly mode: 'handlers' | 'queue';
  readonly receivers: number;
  /** Milliseconds by which the clock of each receiver is wrong. */
  readonly skewMs: number;
  /** Milliseconds that a handler takes at most. */
  readonly handlerMs: number;
  /** The probability that a run of a handler fails while faults last. */
  readonly failing: number;
  /** Milliseconds that the dedupe store takes at most. */
  readonly storeMs: number;
}

/** A limit on the requests of a key. */
export interface Limit {
  readonly requests: number;
  readonly perMs: number;
}

/** What stays the same throughout a run. */
export interface Settings {
  readonly limit: Limit;
  /** Which responses carry the rate-limit headers. */
  readonly limitHeaders: 'always' | 'refused';
  readonly leads: number;
  /** Milliseconds that the service takes at most. */
  readonly serviceMs: number;
  /** Milliseconds that a message takes at most in calm weather. */
  readonly networkMs: number;
  readonly clients: readonly ClientPlan[];
  readonly fleet: Limit & { readonly onStoreError: 'local' | 'throw' };
  readonly hooks: HookPlan;
}

/** A call of a client. Rows are picked by a fraction of those that exist then. */
export type CallPlan =
  | { readonly op: 'create' | 'send' | 'invoke'; readonly pick: number; readonly repeat: boolean }
  | { readonly op: 'ensure' | 'get' | 'update'; readonly pick: number }
  | {
      readonly op: 'all';
      readonly offset: number;
      readonly limit: number;
      readonly concurrency: number;
      readonly onlyNew: boolean;
    }
  | { readonly op: 'job'; readonly limit: number };

/** The two networks: between clients and service, and between service and receivers. */
export type Link = 'api' | 'hook';

/** The probabilities that something happens to a message, and how late messages may be. */
export interface Weather {
  readonly loss: number;
  readonly reset: number;
  readonly duplicate: number;
  readonly truncate: number;
  readonly stall: number;
  readonly split: number;
  readonly delayMs: number;
}

/** The three forms that a date in a header may have. */
export type DateForm = 'imf' | 'rfc850' | 'asctime';

/** A way to attack the receivers. */
export type Attack =
  | 'forge'
  | 'old-secret'
  | 'flip-bit'
  | 'mix'
  | 'truncate'
  | 'replay'
  | 'replay-late'
  | 'change-time'
  | 'take-id';

/** Something that happens at one moment; `at` counts milliseconds from the start. */
export type Step = { readonly id: number; readonly at: number } & (
  | {
      readonly kind: 'call';
      readonly client: number;
      readonly call: CallPlan;
      readonly timeout?: number;
      readonly abortAfter?: number;
    }
  | { readonly kind: 'weather'; readonly link: Link; readonly until: number; readonly weather: Weather }
  | { readonly kind: 'partition'; readonly link: Link; readonly until: number; readonly who: number }
  | {
      readonly kind: 'api-fault';
      readonly status: number;
      readonly form: 'none' | 'seconds' | 'fraction' | 'date' | 'two' | 'two-dates';
      readonly afterSeconds: number;
      /** The form of its dates. */
      readonly dates: DateForm;
      /** Which of two values comes first. */
      readonly longestFirst: boolean;
    }
  | { readonly kind: 'proxy-page'; readonly limit: number }
  | { readonly kind: 'limit'; readonly limit: Limit }
  | { readonly kind: 'rotate-key' | 'rotate-secret' }
  | {
      readonly kind: 'crash';
      readonly who: 'client' | 'receiver' | 'worker';
      readonly which: number;
      readonly until: number;
    }
  | {
      readonly kind: 'store-outage';
      readonly store: 'budget' | 'dedupe';
      readonly until: number;
      readonly silent: boolean;
    }
  | { readonly kind: 'inbound'; readonly count: number; readonly copies: number; readonly delayMs: number }
  // Rows that are created one after the other; with 0 milliseconds, one for each page that is read.
  | { readonly kind: 'flood'; readonly until: number; readonly everyMs: number }
  | { readonly kind: 'redeliver'; readonly pick: number }
  | {
      readonly kind: 'row';
      readonly change: 'create' | 'append' | 'delete' | 'activate';
      readonly pick: number;
    }
  | { readonly kind: 'attack'; readonly attack: Attack; readonly pick: number }
);

/** Everything that decides a run. */
export interface Scenario {
  readonly seed: number;
  readonly settings: Settings;
  readonly steps: readonly Step[];
}

/** Milliseconds after which nothing is disturbed any more, so that everything can still succeed. */
export const CALM_FROM = 120_000;
