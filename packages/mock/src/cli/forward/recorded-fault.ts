import type { Operation } from '@confab/client/contract';
import { ErrorEnvelopeSchema } from '@confab/client/contract';
import { textOf } from '../../request/incoming-request.ts';
import { readJson } from '../../request/json.ts';
import type { Fault } from '../../world/faults/fault.ts';
import { CONTRACT_SCOPES } from '../../world/keys/check-key.ts';
import type { Outcome, ServiceReply } from './ask-service.ts';
import { LIMIT_HEADERS } from './drift.ts';
import type { Cleaner } from './stand-ins.ts';

/** A response that rows can't reproduce, or a lost connection. Its texts are still those of the service. */
export interface RecordedFault {
  readonly operation: Operation;
  /** How many requests of the operation came before. */
  readonly index: number;
  readonly fault: Pick<Fault, 'status' | 'code' | 'network'>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, if it was JSON. Like every value of the service, it is not clean yet, even if it is a text. */
  readonly body?: unknown;
  /** Sent in place of a body that was not JSON. */
  readonly page?: string | undefined;
}

/** A POST that created its row, even if the status is another success than that of the contract. */
const isCreated = ({ method, status: expected }: Operation, status: number): boolean =>
  method === 'POST' && expected === 201 && status >= 200 && status < 300;

/** Operations whose results are no rows. */
const WITHOUT_ROWS = ['agents.invoke', 'analytics.funnel'];

/** With more digits, a number may be a phone. */
const COUNT = /^\d{1,6}$/;

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/** The headers that programs go by. They are recorded only in these forms. */
const headersOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    [...headers].filter(
      ([name, value]) => LIMIT_HEADERS.includes(name) && (COUNT.test(value) || HTTP_DATE.test(value)),
    ),
  );

/** Sent in place of a body that is not JSON, such as the error page of a load balancer: its content is unknown. */
const PAGE = '<!doctype html><title>Recorded page</title>';

/** The types of pages that are recorded. Any other type may contain a name or a key. */
const PAGE_TYPE = /^(?:text\/(?:html|plain|xml)|application\/(?:json|xml))(?=\s*(?:;|$))/;

const typeOf = (headers: Headers): string =>
  PAGE_TYPE.exec((headers.get('content-type') ?? '').toLowerCase())?.[0] ?? 'application/octet-stream';

/** What a reply has to be recorded as; `undefined` if the mock gives the same from rows. */
const ofReply = (
  operation: Operation,
  { status, headers, bytes }: ServiceReply,
): Pick<RecordedFault, 'fault' | 'headers' | 'body' | 'page'> | undefined => {
  const { value, problem } = readJson(textOf(bytes));
  if (problem !== undefined) {
    const isEmpty = bytes.length === 0;
    return {
      fault: { status },
      headers: { ...headersOf(headers), ...(isEmpty ? {} : { 'content-type': typeOf(headers) }) },
      page: isEmpty ? '' : PAGE,
    };
  }
  const isUsual = status === operation.status || isCreated(operation, status);
  if (isUsual && operation.response.safeParse(value).success) {
    return WITHOUT_ROWS.includes(operation.id)
      ? { fault: { status }, headers: headersOf(headers), body: value }
      : undefined;
  }
  const envelope = status >= 400 ? ErrorEnvelopeSchema.safeParse(value) : undefined;
  return envelope?.success
    ? { fault: { status, code: envelope.data.code }, headers: headersOf(headers), body: value }
    : { fault: { status }, headers: headersOf(headers), body: value };
};

/** What an exchange has to be recorded as; `undefined` if the mock gives the same from rows. */
export const toRecordedFault = (
  operation: Operation,
  index: number,
  outcome: Outcome,
): RecordedFault | undefined => {
  if (outcome.kind === 'lost') {
    const { head } = outcome;
    const network = head === undefined ? 'error' : 'truncate';
    // With a status, the operation of the mock does not run.
    const isOther = head !== undefined && head.status !== operation.status;
    return { operation, index, fault: { network, ...(isOther && { status: head.status }) }, headers: {} };
  }
  if (outcome.kind === 'failure') {
    return { operation, index, fault: { status: outcome.status, code: outcome.code }, headers: {} };
  }
  const recorded = ofReply(operation, outcome);
  return recorded && { operation, index, ...recorded };
};

/** A fault as the file has it, with clean texts. */
export const toFault = (
  { operation, index, fault, headers, body, page }: RecordedFault,
  cleaner: Cleaner,
): Fault => {
  const more = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(index > 0 && { skip: index }),
  };
  if (body === undefined) {
    return { ...fault, ...(page !== undefined && { body: page }), ...more };
  }
  if (fault.code !== undefined) {
    return { status: fault.status, body: errorOf(cleaner, cleaner.code(fault.code), body), ...more };
  }
  const clean = cleaner.value(body, operation.response);
  // The mock sends a text as it is, so one that is JSON needs its quotes.
  return { ...fault, body: typeof clean === 'string' ? JSON.stringify(clean) : clean, ...more };
};

/** The name of the missing scope, which clients read from the message of a 403. */
const SCOPE = /\b(?:read|write):[a-z]{1,40}\b/;

const errorOf = (cleaner: Cleaner, code: string, body: unknown): unknown => {
  const clean = cleaner.value(body, ErrorEnvelopeSchema) as { success: boolean; error: string };
  const scope = SCOPE.exec(String(Reflect.get(body as object, 'error')))?.[0];
  return {
    ...clean,
    error: scope !== undefined && CONTRACT_SCOPES.includes(scope) ? `${clean.error} (${scope})` : clean.error,
    code,
  };
};
