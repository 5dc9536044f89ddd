import type { OperationId } from '@confab/client/contract';
import type { KeyInit } from '../world/keys/keys.ts';
import type { RateLimit } from '../world/keys/rate-limit.ts';
import type { CountryCode } from '../world/store/phone.ts';
import type { MockData } from '../world/store/store.ts';
import type { EventNames } from '../world/webhooks/delivery.ts';
import type { Endpoint } from '../world/webhooks/endpoint.ts';
import type { Latency, Respond } from '../world/world.ts';

/** How a mock is set up; everything can be left out. */
export interface MockOptions {
  /**
   * Where the service seems to be.
   * @default 'https://api.confab.test'
   */
  readonly baseUrl?: string | URL;
  /**
   * A whole number; the same one gives the same ids, keys and sample data. Keys depend on nothing else.
   * @default 1
   */
  readonly seed?: number;
  /**
   * `'minimal'`: one pipeline and one agent. `'demo'`: a sample of everything. Or rows of your own, the first pipeline
   * being that of leads that name none.
   * @default 'minimal'
   */
  readonly data?: 'minimal' | 'demo' | MockData;
  /**
   * `'virtual'`: time stands still until it is moved or everything waits. `'system'`: the time of the machine.
   * @default 'virtual'
   */
  readonly clock?: 'virtual' | 'system';
  /** Keys beside {@link Mock.apiKey}. */
  readonly keys?: readonly KeyInit[];
  /**
   * What each key may send: a number of requests a minute, or `{ requests, perMs }`. With `headers: 'always'`,
   * every answer tells how much is left, not only a 429.
   * @default 600
   */
  readonly rateLimit?:
    | number
    | (RateLimit & {
        /**
         * Which responses carry rate-limit headers: only 429s, or all of them.
         * @default 'refused'
         */
        readonly headers?: 'refused' | 'always';
      });
  /** Scopes that operations need, where they differ from the contract's. */
  readonly scopes?: Readonly<Partial<Record<OperationId, string>>>;
  /**
   * Milliseconds that each request takes on the mock's clock, or `{ min, max }`.
   * @default 0
   */
  readonly latency?: Latency;
  /** How agents answer; by default they repeat what they are told. */
  readonly agents?: {
    /** Returns the reply of an agent to a message. */
    readonly respond: Respond;
  };
  /** Endpoints to deliver to from the start, and names for the events that the API leaves unnamed. */
  readonly webhooks?: {
    /** The endpoints to deliver to from the start. */
    readonly endpoints?: readonly Endpoint[];
    /** Names for the events that the API mentions without naming them. */
    readonly events?: EventNames;
  };
  /**
   * Holds every answer against the contract, refusals too, and sends a 500 that says what is wrong in place of one that
   * breaks it: by a wrong value, or by a field that the contract does not have. What a fault sends is not looked at.
   * @default false
   */
  readonly strict?: boolean;
  /**
   * Bytes of memory that {@link Mock.requests} may take, and as many again that deliveries may; the oldest are dropped.
   * What a text of JSON becomes in memory is estimated, on the safe side.
   * @default 16_777_216 (16 MiB)
   */
  readonly maxLogBytes?: number | undefined;
  /**
   * Country whose national format a phone without `+` is in.
   * @default none: such a phone is refused
   */
  readonly defaultCountry?: CountryCode;
}
