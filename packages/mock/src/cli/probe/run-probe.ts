import type { MockOptions } from '../../world/options.ts';
import type { Finding, Question } from './finding.ts';
import { checkOrder } from './questions/check-order.ts';
import { errorCodes } from './questions/error-codes.ts';
import { funnelCounts } from './questions/funnel-counts.ts';
import { funnelRange } from './questions/funnel-range.ts';
import { listOrder } from './questions/list-order.ts';
import { messages } from './questions/messages.ts';
import { newLead } from './questions/new-lead.ts';
import { outOfRange } from './questions/out-of-range.ts';
import { rateLimit } from './questions/rate-limit.ts';
import { scopes } from './questions/scopes.ts';
import { search } from './questions/search.ts';
import { unknownBody, unknownQuery } from './questions/unknown-fields.ts';
import type { Service } from './service.ts';

/** The last three read the replies to all others, too. */
const QUESTIONS: readonly Question[] = [
  ...[...listOrder, ...search, ...messages, outOfRange, unknownQuery, checkOrder],
  ...[funnelRange, ...funnelCounts, ...newLead, unknownBody],
  ...[...errorCodes, ...scopes, ...rateLimit],
];

/** What a probe found. */
export interface ProbeResult {
  readonly findings: readonly Finding[];
  /** The options that make the mock do what the service does, as far as it is known. */
  readonly options: MockOptions;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const merge = (into: object, from: object): object => {
  const merged = Object.entries(from).map(([name, value]) => {
    const there: unknown = Reflect.get(into, name);
    return [name, isObject(there) && isObject(value) ? merge(there, value) : value];
  });
  return { ...into, ...Object.fromEntries(merged) };
};

/**
 * Asks a service every question.
 *
 * @param onQuestion Called with what the next requests are about.
 */
export const runProbe = async (
  service: Service,
  { allowWrites, onQuestion }: { readonly allowWrites: boolean; readonly onQuestion: (name: string) => void },
): Promise<ProbeResult> => {
  const findings: Finding[] = [];
  for (const { name, writes = false, ask } of QUESTIONS) {
    if (writes && !allowWrites) {
      findings.push({ question: name, reason: 'only a write tells', settle: 'Use --allow-writes.' });
      continue;
    }
    onQuestion(name);
    findings.push(...(await ask(service)));
  }
  const options = findings
    .flatMap((finding) => ('options' in finding ? [finding.options] : []))
    .reduce<MockOptions>(merge, {});
  return { findings, options };
};
