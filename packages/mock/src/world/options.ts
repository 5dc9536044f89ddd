import type { OpenEnum, OperationId } from '@confab/client/contract';
import {
  anyValue,
  isBoolean,
  isFunction,
  objectOf,
  oneOf,
  optionProblem,
  suggestNameOrSynonym,
  typeName,
} from '@confab/internal';
import { isSupportedCountry } from 'libphonenumber-js/min';
import type { Check, Checks } from '../errors/check.ts';
import {
  checkThat,
  eachOf,
  formatValue,
  integerBetween,
  isText,
  isWait,
  OPERATION_IDS,
  throwIfInvalid,
} from '../errors/check.ts';
import type { Behavior } from './behavior.ts';
import type { KeyInit } from './keys/keys.ts';
import type { RateLimit } from './keys/rate-limit-option.ts';
import { rateLimitWith } from './keys/rate-limit-option.ts';
import { RESOURCE_NAMES } from './resources/names.ts';
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
   * A whole number from which the mock generates ids, keys and sample data. Two mocks with the same seed generate the same
   * ids if they receive the same requests. Their keys are the same in any case.
   * @default 1
   */
  readonly seed?: number | undefined;
  /**
   * The rows and faults to start with: the content of a file for `--data`, such as a recording. `'minimal'` is one pipeline
   * and one agent, `'demo'` is sample data of every resource. In your own rows, leads without a `pipelineId` belong to the
   * first pipeline.
   * @default 'minimal'
   */
  readonly data?: 'minimal' | 'demo' | MockData | undefined;
  /**
   * Which clock the mock follows. The `'virtual'` clock moves only when a test moves it, or when everything waits for it.
   * It starts on 1 January 2026, or after the latest row of `data`. The `'system'` clock is that of the machine, or of fake
   * timers while a test uses them.
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
  /** The scope that an operation requires, if it differs from the contract's: `{ 'agents.invoke': 'read:agents' }`. */
  readonly scopes?: Readonly<Partial<Record<OperationId, string | undefined>>> | undefined;
  /**
   * What the service does where the API's documentation is silent, such as the order of lists and the codes of errors.
   * `confab-mock probe` learns it from the service.
   */
  readonly behavior?: Behavior | undefined;
  /**
   * How many milliseconds each request takes on the mock's clock, or `{ min, max }` for a random number between them.
   * @default 0
   */
  readonly latency?: Latency | undefined;
  /** How agents reply. */
  readonly agents?:
    | {
        /** Returns the reply of an agent to a message. By default, an agent repeats the message. */
        readonly respond: Respond;
      }
    | undefined;
  /** The endpoints of webhooks, and names for the events that the API leaves unnamed. */
  readonly webhooks?:
    | {
        /** The endpoints that exist from the start. */
        readonly endpoints?: readonly Endpoint[] | undefined;
        /** Names for the events that the API mentions without naming them. */
        readonly events?: EventNames | undefined;
      }
    | undefined;
  /**
   * Checks every successful response against the contract. A response with an invalid value or an unknown field becomes a
   * 500 that says what is wrong. The responses of faults are not checked. Rows are refused if they have a value that the
   * contract does not list, such as an unknown status, or refer to a row that does not exist.
   * @default false
   */
  readonly strict?: boolean | undefined;
  /**
   * How many bytes of memory {@link Mock.requests} may take. Finished deliveries may take as many again. The oldest entries
   * are dropped. The size of parsed JSON is estimated, and rather too high.
   * @default 16_777_216 (16 MiB)
   */
  readonly maxLogBytes?: number | undefined;
  /**
   * The country of phone numbers without `+`: a code of two capital letters (ISO 3166), such as `'BR'`.
   * @default none, so such a phone number is invalid
   */
  readonly defaultCountry?: string | undefined;
}

const isRange = objectOf<Exclude<Latency, number>>(
  'milliseconds, such as 250, or a range, such as { min: 20, max: 80 }',
  { min: isWait, max: isWait },
  ['min', 'max'],
);

const isOrdered = checkThat(
  (range) => Object(range).min <= Object(range).max,
  'a range whose `max` is at least its `min`',
);

const isLatency: Check = (name, value) =>
  typeof value === 'number' ? isWait(name, value) : (isRange(name, value) ?? isOrdered(name, value));

/** Accepts an array. Messages do not show any other value, which may be a secret. */
const isList =
  (example: string): Check =>
  (name, value) =>
    Array.isArray(value)
      ? undefined
      : `\`${name}\` must be an array, such as [${example}], got ${typeName(value)}.`;

const isScope = checkThat(
  (value) => typeof value === 'string' && /^(?:read|write):[a-z][a-z0-9_-]*$/.test(value),
  'read:<resource> or write:<resource>',
);

/** Checks for all options. Rows, keys, endpoints and `behavior` are checked where they are used. */
const CHECKS: Checks<MockOptions> = {
  baseUrl: anyValue,
  seed: integerBetween(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  data: (name, value) =>
    typeof value === 'string' && /[./\\]/.test(value)
      ? `\`${name}\` must be the content of a file, not its path ${formatValue(value)}. Read and parse the file; only --data takes a path.`
      : typeName(value) === 'an object'
        ? undefined
        : oneOf('minimal', 'demo')(name, value),
  clock: oneOf('virtual', 'system'),
  keys: isList("{ key: 'my_key', scopes: ['read:leads'] }"),
  rateLimit: rateLimitWith({ headers: oneOf('refused', 'always') }),
  scopes: eachOf(OPERATION_IDS, isScope),
  behavior: anyValue,
  latency: isLatency,
  agents: objectOf('an object', { respond: isFunction }, ['respond']),
  webhooks: objectOf<NonNullable<MockOptions['webhooks']>>('an object', {
    endpoints: isList("{ url: 'http://127.0.0.1:3000', secret: '…' }"),
    events: objectOf<EventNames>('an object', { newConversation: isText, statusChange: isText }),
  }),
  strict: isBoolean,
  maxLogBytes: checkThat(
    (value) => typeof value === 'number' && value >= 0,
    'a number of bytes of at least 0',
  ),
  defaultCountry: checkThat(
    (value) => typeof value === 'string' && isSupportedCountry(value),
    'a country code of two capital letters, such as "BR"',
  ),
};

/** Suggests the option that a name belongs to: rows and keys are parts of other options. */
const hint = (name: string, known: readonly string[]): string => {
  const lists: readonly string[] = RESOURCE_NAMES;
  const use = name === 'apiKey' ? 'keys: [{ key }]' : lists.includes(name) && `data: { ${name} }`;
  return use ? `Use \`${use}\`.` : suggestNameOrSynonym(name, known);
};

/** Shows the options instead of the name of the rows. */
const remedy = (given: unknown): string => (typeof given === 'string' ? ": pass { data: 'demo' }" : '');

/** @throws A {@link MockError} `INVALID_ARGUMENT`, when an option is unknown, or its value invalid. */
export const checkOptions = (options: MockOptions): void => {
  throwIfInvalid(optionProblem('createMock() option', options, CHECKS, { hint, remedy }));
};
