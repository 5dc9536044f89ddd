import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { OPERATION_IDS } from '../../errors/check.ts';
import { DEFAULT_BEHAVIOR } from '../../world/behavior.ts';
import type { MockOptions } from '../../world/options.ts';
import { NoAnswer } from './evidence.ts';
import { ERRORS, findCode, findScope } from './questions/errors.ts';
import { daysOfFunnel, funnelBy } from './questions/funnel.ts';
import { outOfRange, unknownQuery } from './questions/invalid-input.ts';
import { keptMessages, orderOf, orderOfMessages } from './questions/list-order.ts';
import { defaultCountry, defaultSource, unknownBody } from './questions/new-lead.ts';
import { findCheckOrder } from './questions/order-of-checks.ts';
import { rateLimit, rateLimitHeaders } from './questions/rate-limit.ts';
import { searchBy } from './questions/search.ts';
import type { Service } from './service.ts';

/**
 * What a service does: the question, the service's behavior, the default of the mock, and the path of the option as code:
 * `behavior.order["leads.list"]`.
 */
export type Answer = Readonly<Record<'question' | 'service' | 'mock' | 'option', string>>;

/** A question without an answer: the reason, and how to get the answer. */
export type Unknown = Readonly<Record<'question' | 'reason' | 'remedy', string>>;

/** A question that the API's documentation leaves open, and how to read the answer of a service. */
type Question = readonly [
  text: string,
  /** The path of the option as code. */
  option: string,
  /**
   * Returns the value of the option; `undefined` if the service behaves like the mock's default and no value expresses
   * that.
   *
   * @throws A {@link NoAnswer} when the evidence is too thin.
   */
  ask: (service: Service) => Promise<unknown>,
  /** The default of the mock, if it is not in `behavior`. */
  preset?: unknown,
  /** Returns the part of the option that the question is about. */
  show?: (value: unknown) => unknown,
];

const whichIsFirst = (...pair: readonly number[]): Question => {
  const first = (order: unknown) => (order as readonly number[]).find((check) => pair.includes(check));
  const text = `Whether ${pair.join(' or ')} comes first`;
  return [text, 'behavior.checks', findCheckOrder(pair), DEFAULT_BEHAVIOR.checks, first];
};

const PRESET_CODES = { 400: 'INVALID_PARAMETERS', 404: 'NOT_FOUND', 409: 'ALREADY_EXISTS' };

const codeQuestion = ([id, status, ...inputs]: (typeof ERRORS)[number]): Question => {
  const option = `behavior.codes["${id}"][${status}]`;
  return [`Code of ${status} of ${id}`, option, findCode(id, status, inputs), PRESET_CODES[status]];
};

const scopeQuestion = (id: OperationId): Question => {
  return [`Scope of ${id}`, `scopes["${id}"]`, findScope(id), operations[id].scope];
};

/** The questions about codes, scopes and the rate limit come last, because they read the replies to all others too. */
const QUESTIONS: readonly Question[] = [
  ['Order of leads.list', 'behavior.order["leads.list"]', orderOf('leads.list')],
  ['Order of conversations.list', 'behavior.order["conversations.list"]', orderOf('conversations.list')],
  ['Order of agents.list', 'behavior.order["agents.list"]', orderOf('agents.list')],
  ['`search` in displayName', 'behavior.search.displayName', searchBy('displayName')],
  ['`search` in email', 'behavior.search.email', searchBy('email')],
  ['`search` in phone', 'behavior.search.phone', searchBy('phone')],
  ['Whether `search` ignores case', 'behavior.search.ignoreCase', searchBy('ignoreCase')],
  ['Order of messages', 'behavior.messages.order', orderOfMessages],
  ['Messages that `messagesLimit` keeps', 'behavior.messages.select', keptMessages],
  ['Numbers beyond their bounds', 'behavior.input.outOfRange', outOfRange],
  ['Unknown query parameters', 'behavior.input.unknownQuery', unknownQuery],
  ['Unknown fields in a body', 'behavior.input.unknownBody', unknownBody],
  whichIsFirst(401, 400),
  whichIsFirst(401, 404),
  whichIsFirst(400, 404),
  whichIsFirst(403, 400),
  whichIsFirst(403, 404),
  ['Days of the funnel without `from`', 'behavior.funnel.days', daysOfFunnel],
  ['What `newLeads` of the funnel counts', 'behavior.funnel.newLeads', funnelBy('newLeads')],
  ['What the other counts of the funnel contain', 'behavior.funnel.counts', funnelBy('counts')],
  ['What `conversionRate` divides `converted` by', 'behavior.funnel.divideBy', funnelBy('divideBy')],
  ['Whether `conversionRate` is a percentage', 'behavior.funnel.percent', funnelBy('percent')],
  ['Decimals of `conversionRate`', 'behavior.funnel.decimals', funnelBy('decimals')],
  ['Source of a lead created without one', 'behavior.source', defaultSource],
  ['Country of a phone without a country code', 'defaultCountry', defaultCountry, 'refused'],
  ...ERRORS.map(codeQuestion),
  ...OPERATION_IDS.map(scopeQuestion),
  ['Rate limit of the key', 'rateLimit', rateLimit, { requests: 600, perMs: 60_000 }],
  ['Rate-limit headers on responses other than 429', 'rateLimit.headers', rateLimitHeaders, 'refused'],
];

/** The names in a path: `behavior`, `codes`, `leads.get` and `404` of `behavior.codes["leads.get"][404]`. */
const namesIn = (path: string): string[] =>
  (path.match(/"[^"]*"|\w+/g) ?? []).map((name) => name.replaceAll('"', ''));

const valueAt = (path: string, options: object): unknown =>
  namesIn(path).reduce<unknown>((value, name) => Reflect.get(Object(value), name), options);

const withValue = (options: object, [name = '', ...rest]: readonly string[], value: unknown): object => ({
  ...options,
  [name]: rest.length === 0 ? value : withValue(Reflect.get(options, name) ?? {}, rest, value),
});

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');

/** Asks a service every question. The options make a mock behave like the service, as far as that is known. */
export const runProbe = async (service: Service) => {
  const answers: Answer[] = [];
  const unknown: Unknown[] = [];
  let options: MockOptions = {};
  for (const [question, option, ask, ownPreset, show = (value: unknown) => value] of QUESTIONS) {
    const preset = ownPreset ?? valueAt(option, { behavior: DEFAULT_BEHAVIOR });
    service.about = question;
    try {
      const value = await ask(service);
      if (value !== undefined) {
        options = withValue(options, namesIn(option), value);
      }
      answers.push({
        question,
        service: asText(show(value ?? preset)),
        mock: asText(show(preset)),
        option: value === undefined ? 'none needed' : option,
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        throw error;
      }
      unknown.push({ question, reason: error.message, remedy: error.remedy });
    }
  }
  return { answers, unknown, options };
};
