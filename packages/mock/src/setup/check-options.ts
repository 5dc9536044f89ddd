import { namesOf } from '@confab/internal';
import { isSupportedCountry } from 'libphonenumber-js/min';
import { checkNames, checkWord } from '../checks/check-names.ts';
import { OPERATION_IDS } from '../checks/check-operation.ts';
import { invalidArgument } from '../errors/invalid-argument.ts';
import { checkKeys } from '../world/keys/check-key.ts';
import type { RateLimit } from '../world/keys/rate-limit.ts';
import type { EventNames } from '../world/webhooks/delivery.ts';
import type { Latency } from '../world/world.ts';
import type { MockOptions } from './mock-options.ts';

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
  if (isObject(latency)) {
    checkWithin('latency', latency, LATENCY);
  }
  checkWithin('agents', agents, AGENTS);
  checkWithin('webhooks', webhooks, WEBHOOKS);
  checkWithin('webhooks.events', webhooks?.events, EVENTS);
  if (strict !== undefined && typeof strict !== 'boolean') {
    throw invalidArgument(`\`strict\` must be true or false, got ${JSON.stringify(strict)}`);
  }
  if (defaultCountry !== undefined && !isSupportedCountry(defaultCountry)) {
    throw invalidArgument(
      `\`defaultCountry\` must be a country code of two capital letters, such as "BR", got ${JSON.stringify(defaultCountry)}`,
    );
  }
};
