import type { OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';
import { OPERATION_IDS } from '../../errors/check.ts';
import { DEFAULT_BEHAVIOR } from '../../world/complete-behavior.ts';
import type { MockOptions } from '../../world/options.ts';
import { NoAnswer } from './evidence.ts';
import { checkOrder } from './questions/check-order.ts';
import { codeOf, ERRORS, scopeOf } from './questions/errors.ts';
import { daysOfFunnel, funnelBy } from './questions/funnel.ts';
import { outOfRange, unknownBody, unknownQuery } from './questions/invalid-input.ts';
import { defaultCountry, defaultSource } from './questions/new-lead.ts';
import { keptMessages, orderOf, orderOfMessages } from './questions/order.ts';
import { rateLimit, rateLimitHeaders } from './questions/rate-limit.ts';
import { searchBy } from './questions/search.ts';
import type { Service } from './service.ts';

/** The names that lead to an option. */
type OptionPath = readonly [keyof MockOptions, ...string[]];

/** A question that the API's documentation leaves open, and how to read the answer of a service. */
type Question = readonly [
  text: string,
  option: OptionPath,
  /**
   * Returns the value of the option; `undefined` if the service does what the mock does by default, and no value stands
   * for it.
   *
   * @throws {@link NoAnswer} When the evidence is too thin.
   */
  ask: (service: Service) => Promise<unknown>,
  /** What the mock does by default, if it is no `behavior`. */
  preset?: unknown,
  /** Returns the part of the option that the question is about. */
  show?: (value: unknown) => unknown,
];

const whichIsFirst = (...pair: readonly number[]): Question => {
  const first = (order: unknown) => (order as readonly number[]).find((check) => pair.includes(check));
  const text = `Whether ${pair.join(' or ')} comes first`;
  return [text, ['behavior', 'checks'], checkOrder(pair), DEFAULT_BEHAVIOR.checks, first];
};

const PRESET_CODES = { 400: 'INVALID_PARAMETERS', 404: 'NOT_FOUND', 409: 'ALREADY_EXISTS' };

const codeQuestion = (error: (typeof ERRORS)[number]): Question => {
  const { operation, status } = error;
  const option = ['behavior', 'codes', operation, String(status)] as const;
  return [`Code of ${status} of ${operation}`, option, codeOf(error), PRESET_CODES[status]];
};

const scopeQuestion = (id: OperationId): Question => [
  `Scope of ${id}`,
  ['scopes', id],
  scopeOf(id),
  operations[id].scope,
];

/** Those about codes, scopes and the rate limit read the replies to all others, too. */
const QUESTIONS: readonly Question[] = [
  ['Order of leads.list', ['behavior', 'order', 'leads.list'], orderOf('leads.list')],
  ['Order of conversations.list', ['behavior', 'order', 'conversations.list'], orderOf('conversations.list')],
  ['Order of agents.list', ['behavior', 'order', 'agents.list'], orderOf('agents.list')],
  ['`search` in displayName', ['behavior', 'search', 'displayName'], searchBy('displayName')],
  ['`search` in email', ['behavior', 'search', 'email'], searchBy('email')],
  ['`search` in phone', ['behavior', 'search', 'phone'], searchBy('phone')],
  ['Whether `search` ignores case', ['behavior', 'search', 'ignoreCase'], searchBy('ignoreCase')],
  ['Order of messages', ['behavior', 'messages', 'order'], orderOfMessages],
  ['Messages that `messagesLimit` keeps', ['behavior', 'messages', 'select'], keptMessages],
  ['Numbers beyond their bounds', ['behavior', 'input', 'outOfRange'], outOfRange],
  ['Unknown query parameters', ['behavior', 'input', 'unknownQuery'], unknownQuery],
  ['Unknown fields in a body', ['behavior', 'input', 'unknownBody'], unknownBody],
  whichIsFirst(401, 400),
  whichIsFirst(401, 404),
  whichIsFirst(400, 404),
  whichIsFirst(403, 400),
  whichIsFirst(403, 404),
  ['Days of the funnel without `from`', ['behavior', 'funnel', 'days'], daysOfFunnel],
  ['What `newLeads` of the funnel counts', ['behavior', 'funnel', 'newLeads'], funnelBy('newLeads')],
  ['What the other counts of the funnel contain', ['behavior', 'funnel', 'counts'], funnelBy('counts')],
  ['What `conversionRate` divides `converted` by', ['behavior', 'funnel', 'divideBy'], funnelBy('divideBy')],
  ['Whether `conversionRate` is a percentage', ['behavior', 'funnel', 'percent'], funnelBy('percent')],
  ['Decimals of `conversionRate`', ['behavior', 'funnel', 'decimals'], funnelBy('decimals')],
  ['Source of a lead created without one', ['behavior', 'source'], defaultSource],
  ['Country of a phone without a country code', ['defaultCountry'], defaultCountry, 'refused'],
  ...ERRORS.map(codeQuestion),
  ...OPERATION_IDS.map(scopeQuestion),
  ['Rate limit of the key', ['rateLimit'], rateLimit, { requests: 600, perMs: 60_000 }],
  ['Rate-limit headers on responses other than 429', ['rateLimit', 'headers'], rateLimitHeaders, 'refused'],
];

/** What the service does, and the option that makes the mock do the same. */
interface Answer {
  readonly question: string;
  readonly service: string;
  /** What the mock does by default. */
  readonly mock: string;
  /** The path of the option as code: `behavior.order["leads.list"]`. */
  readonly option: string;
}

/** A question without an answer. */
export interface Unknown {
  readonly question: string;
  readonly reason: string;
  /** What would give the answer. */
  readonly remedy: string;
}

export type Finding = Answer | Unknown;

const valueAt = (path: OptionPath, options: object): unknown =>
  path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), options);

const withValue = (options: object, [name = '', ...rest]: readonly string[], value: unknown): object => ({
  ...options,
  [name]: rest.length === 0 ? value : withValue(Reflect.get(options, name) ?? {}, rest, value),
});

/** Writes a path as code: `behavior.codes["leads.get"][404]`. */
const pathAsCode = (path: OptionPath): string =>
  path
    .map((name) =>
      /^[a-z]\w*$/i.test(name) ? `.${name}` : `[${/^\d+$/.test(name) ? name : JSON.stringify(name)}]`,
    )
    .join('')
    .slice(1);

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');

/** Asks a service every question. Resolves also to the options that make the mock do the same, as far as it is known. */
export const runProbe = async (service: Service) => {
  const findings: Finding[] = [];
  let options: MockOptions = {};
  for (const [question, option, ask, given, show = (value: unknown) => value] of QUESTIONS) {
    const preset = given ?? valueAt(option, { behavior: DEFAULT_BEHAVIOR });
    service.about = question;
    try {
      const value = await ask(service);
      options = value === undefined ? options : withValue(options, option, value);
      findings.push({
        question,
        service: asText(show(value ?? preset)),
        mock: asText(show(preset)),
        option: value === undefined ? 'none needed' : pathAsCode(option),
      });
    } catch (error) {
      if (!(error instanceof NoAnswer)) {
        throw error;
      }
      findings.push({ question, reason: error.message, remedy: error.remedy });
    }
  }
  return { findings, options };
};
