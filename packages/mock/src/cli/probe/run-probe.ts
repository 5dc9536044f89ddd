import { DEFAULT_BEHAVIOR } from '../../world/complete-behavior.ts';
import type { MockOptions } from '../../world/options.ts';
import { demand, NoAnswer } from './evidence.ts';
import type { Finding, OptionPath, Question } from './question.ts';
import { checkOrder } from './questions/check-order.ts';
import { errorCodes } from './questions/error-codes.ts';
import { funnelCounts } from './questions/funnel-counts.ts';
import { funnelRange } from './questions/funnel-range.ts';
import { invalidInput } from './questions/invalid-input.ts';
import { listOrder } from './questions/list-order.ts';
import { messages } from './questions/messages.ts';
import { newLead } from './questions/new-lead.ts';
import { rateLimit } from './questions/rate-limit.ts';
import { scopes } from './questions/scopes.ts';
import { search } from './questions/search.ts';
import type { Service } from './service.ts';

/** The last three read the replies to all others, too. */
const QUESTIONS: readonly Question[] = [
  ...listOrder,
  ...search,
  ...messages,
  ...invalidInput,
  ...checkOrder,
  funnelRange,
  ...funnelCounts,
  ...newLead,
  ...errorCodes,
  ...scopes,
  ...rateLimit,
];

/** What a probe found. */
export interface ProbeResult {
  readonly findings: readonly Finding[];
  /** The options that make the mock do what the service does, as far as it is known. */
  readonly options: MockOptions;
}

const valueAt = (path: OptionPath, options: object): unknown =>
  path.reduce<unknown>((value, name) => Reflect.get(Object(value), name), options);

const withValue = (options: object, [name = '', ...rest]: readonly string[], value: unknown): object => ({
  ...options,
  [name]: rest.length === 0 ? value : withValue(Reflect.get(options, name) ?? {}, rest, value),
});

/** Writes a path as code: `behavior.codes["leads.get"][404]`. */
const codeOf = (path: OptionPath): string =>
  path
    .map((name) =>
      /^[a-z]\w*$/i.test(name) ? `.${name}` : `[${/^\d+$/.test(name) ? name : JSON.stringify(name)}]`,
    )
    .join('')
    .slice(1);

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'none');

const find = async (question: Question, service: Service, allowWrites: boolean): Promise<Finding> => {
  const { text, option, writes = false, show = (value) => value } = question;
  const { preset = valueAt(option, { behavior: DEFAULT_BEHAVIOR }) } = question;
  try {
    demand(allowWrites || !writes, 'only a write can tell', 'Use --allow-writes.');
    const value = await question.ask(service);
    return {
      question: text,
      value,
      service: shown(show(value ?? preset)),
      mock: shown(show(preset)),
      option: value === undefined ? 'none needed' : codeOf(option),
    };
  } catch (error) {
    if (error instanceof NoAnswer) {
      return { question: text, reason: error.message, remedy: error.remedy };
    }
    throw error;
  }
};

/** Asks a service every question. */
export const runProbe = async (service: Service, allowWrites: boolean): Promise<ProbeResult> => {
  const findings: Finding[] = [];
  let options: MockOptions = {};
  for (const question of QUESTIONS) {
    service.about = question.text;
    const finding = await find(question, service, allowWrites);
    findings.push(finding);
    if ('value' in finding && finding.value !== undefined) {
      options = withValue(options, question.option, finding.value);
    }
  }
  return { findings, options };
};
