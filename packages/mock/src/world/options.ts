import type { OpenEnum, OperationId } from '@confab/client/contract';
import { namesOf, typeName } from '@confab/internal';
import { isSupportedCountry } from 'libphonenumber-js/min';
import { checkNames, checkWord, OPERATION_IDS, shown } from '../errors/check.ts';
import { invalidArgument } from '../errors/mock-error.ts';
import type { Behavior } from './behavior.ts';
import type { KeyInit, RateLimit } from './keys/check-key.ts';
import { checkKeys } from './keys/check-key.ts';
import type { CountryCode } from './store/country-code.ts';
import type { MockData } from './store/store.ts';
import type { EventNames } from './webhooks/delivery.ts';
import type { Endpoint } from './webhooks/endpoints.ts';
import type { Latency, Respond } from './world.ts';

/** The options of {@link createMock}. All of them are optional. */
export interface MockOptions {
  /**
   * The base URL of the service.
   * @default 'https://api.confab.test'
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * A whole number from which the mock generates ids, keys and sample data. Two mocks with the same seed that receive the
   * same requests generate the same ids. Keys depend on the seed alone.
   * @default 1
   */
  readonly seed?: number | undefined;
  /**
   * The rows to start with. `'minimal'` is one pipeline and one agent, `'demo'` a sample of everything. With rows of your
   * own, leads without a `pipelineId` belong to the first pipeline.
   * @default 'minimal'
   */
  readonly data?: 'minimal' | 'demo' | MockData | undefined;
  /**
   * Which time the mock follows. On the `'virtual'` clock, time passes only when a test moves it, or when everything waits
   * for it. `'system'` is the time of the machine.
   * @default 'virtual'
   */
  readonly clock?: 'virtual' | 'system' | undefined;
  /** Keys in addition to {@link Mock.apiKey}. */
  readonly keys?: readonly KeyInit[] | undefined;
  /**
   * How many requests each key may make: a number per minute, or `{ requests, perMs }`. With `headers: 'always'`, every
   * response carries the rate-limit headers; by default, only a 429 does.
   * @default 600
   */
  readonly rateLimit?:
    | number
    | (RateLimit & {
        /**
         * Which responses carry the rate-limit headers: only a 429, or all of them.
         * @default 'refused'
         */
        readonly headers?: OpenEnum<'refused' | 'always'> | undefined;
      })
    | undefined;
  /** The scopes that operations require, where they differ from the contract's. */
  readonly scopes?: Readonly<Partial<Record<OperationId, string>>> | undefined;
  /**
   * What the service does where the API's documentation is silent, such as the order of lists and the codes of errors.
   * `confab-mock probe` learns it from the service.
   */
  readonly behavior?: Behavior | undefined;
  /**
   * Milliseconds on the mock's clock that each request takes, or `{ min, max }`.
   * @default 0
   */
  readonly latency?: Latency | undefined;
  /** The behavior of agents. */
  readonly agents?:
    | {
        /** Returns the reply of an agent to a message. By default, an agent repeats the message. */
        readonly respond: Respond;
      }
    | undefined;
  /** The first endpoints of webhooks, and names for the events that the API leaves unnamed. */
  readonly webhooks?:
    | {
        /** The endpoints that events are delivered to from the start. */
        readonly endpoints?: readonly Endpoint[] | undefined;
        /** Names for the events that the API mentions without naming them. */
        readonly events?: EventNames | undefined;
      }
    | undefined;
  /**
   * Checks every response against the contract, error responses included. One with an invalid value or an unknown field is
   * replaced by a 500 that says what is wrong. The responses of faults are not checked. Rows with a value that the
   * contract does not list, such as another status, are refused.
   * @default false
   */
  readonly strict?: boolean | undefined;
  /**
   * Bytes of memory for {@link Mock.requests}, and the same number again for finished deliveries; the oldest ones are
   * dropped. The memory that parsed JSON takes is a generous estimate.
   * @default 16_777_216 (16 MiB)
   */
  readonly maxLogBytes?: number | undefined;
  /**
   * The country of phone numbers without `+`, such as `'BR'`.
   * @default none: such a phone is invalid
   */
  readonly defaultCountry?: OpenEnum<CountryCode> | undefined;
}

const OPTIONS = namesOf<MockOptions>({
  baseUrl: true,
  seed: true,
  data: true,
  clock: true,
  keys: true,
  rateLimit: true,
  scopes: true,
  behavior: true,
  latency: true,
  agents: true,
  webhooks: true,
  strict: true,
  maxLogBytes: true,
  defaultCountry: true,
});

const RATE_LIMIT = namesOf<RateLimit & { readonly headers?: string }>({
  requests: true,
  perMs: true,
  headers: true,
});

const LATENCY = namesOf<Exclude<Latency, number>>({ min: true, max: true });

const AGENTS = namesOf<NonNullable<MockOptions['agents']>>({ respond: true });

const WEBHOOKS = namesOf<NonNullable<MockOptions['webhooks']>>({ endpoints: true, events: true });

const EVENTS = namesOf<EventNames>({ newConversation: true, statusChange: true });

/** Checks the names within an option, if it is given. */
const checkWithin = (option: string, given: unknown, known: readonly string[]): void => {
  if (given !== undefined) {
    checkNames(`${option} field`, given, known);
  }
};

const isObject = (value: unknown): boolean => typeof value === 'object';

/**
 * Checks the names of all options, and the values of those with a fixed set of words. Rows, keys and endpoints are
 * checked where they are created.
 *
 * @throws {@link MockError} `INVALID_ARGUMENT`, when one is unknown.
 */
export const checkOptions = (options: MockOptions): void => {
  checkNames('option of createMock()', options, OPTIONS);
  const { data, clock, keys, rateLimit, scopes, latency, agents, webhooks, strict, defaultCountry } = options;
  if (data !== undefined && !isObject(data)) {
    checkWord('data', data, ['minimal', 'demo']);
  }
  if (clock !== undefined) {
    checkWord('clock', clock, ['virtual', 'system']);
  }
  if (keys !== undefined) {
    checkKeys(keys);
  }
  if (rateLimit === null) {
    throw invalidArgument(
      '`rateLimit` must be requests per minute, or { requests, perMs }, got null. Use a large number for no limit.',
    );
  }
  if (isObject(rateLimit)) {
    checkWithin('rateLimit', rateLimit, RATE_LIMIT);
    const headers = (rateLimit as { headers?: unknown }).headers;
    if (headers !== undefined) {
      checkWord('value of rateLimit.headers', headers, ['refused', 'always']);
    }
  }
  if (scopes !== undefined) {
    checkNames('operation in scopes', scopes, OPERATION_IDS);
  }
  if (latency !== undefined && typeof latency !== 'number') {
    if (typeName(latency) !== 'an object') {
      throw invalidArgument(
        `\`latency\` must be milliseconds, such as 250, or a range, such as { min: 20, max: 80 }, got ${shown(latency)}`,
      );
    }
    checkWithin('latency', latency, LATENCY);
  }
  checkWithin('agents', agents, AGENTS);
  if (agents !== undefined && typeof agents.respond !== 'function') {
    throw invalidArgument(`\`agents.respond\` must be a function, got ${shown(agents.respond)}`);
  }
  checkWithin('webhooks', webhooks, WEBHOOKS);
  if (webhooks?.endpoints !== undefined && !Array.isArray(webhooks.endpoints)) {
    throw invalidArgument(
      `\`webhooks.endpoints\` must be an array, such as [{ url: 'http://127.0.0.1:3000', secret: '…' }], got ${typeName(webhooks.endpoints)}`,
    );
  }
  checkWithin('webhooks.events', webhooks?.events, EVENTS);
  for (const [name, event] of Object.entries(webhooks?.events ?? {})) {
    if (event !== undefined && (typeof event !== 'string' || event === '')) {
      throw invalidArgument(
        `\`webhooks.events.${name}\` must be the name of an event, such as 'conversation.created', got ${shown(event)}`,
      );
    }
  }
  if (strict !== undefined && typeof strict !== 'boolean') {
    throw invalidArgument(`\`strict\` must be true or false, got ${JSON.stringify(strict)}`);
  }
  if (defaultCountry !== undefined && !isSupportedCountry(defaultCountry)) {
    throw invalidArgument(
      `\`defaultCountry\` must be a country code of two capital letters, such as "BR", got ${JSON.stringify(defaultCountry)}`,
    );
  }
};
