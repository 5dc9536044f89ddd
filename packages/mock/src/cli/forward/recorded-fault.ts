import type { Operation } from '@confab/client/contract';
import { ErrorEnvelopeSchema } from '@confab/client/contract';
import type * as z from 'zod/mini';
import { textOf } from '../../request/incoming-request.ts';
import { readJson } from '../../request/json.ts';
import type { Fault } from '../../world/faults/fault.ts';
import { CONTRACT_SCOPES } from '../../world/keys/keys.ts';
import type { Outcome, ServiceReply } from './ask-service.ts';
import { LIMIT_HEADERS } from './drift.ts';
import type { Cleaner } from './stand-ins.ts';

/**
 * A response that rows can't reproduce, or a lost connection, as the file has it. Only a complete recording tells which
 * stand-ins its texts get.
 */
export type RecordedFault = (cleaner: Cleaner) => Fault;

/** A POST that created its row, even if the status is another success than that of the contract. */
const isCreated = ({ method, status: expected }: Operation, status: number): boolean =>
  method === 'POST' && expected === 201 && status >= 200 && status < 300;

/** Operations whose results are no rows. */
const WITHOUT_ROWS = ['agents.invoke', 'analytics.funnel'];

/** With more digits, a number may be a phone. */
const COUNT = /^\d{1,6}$/;

const HTTP_DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d GMT$/;

/** The headers that programs go by, if there are any. They are recorded only in these forms. */
const headersOf = (headers: Headers, contentType?: string): Pick<Fault, 'headers'> => {
  const kept = [...headers].filter(
    ([name, value]) => LIMIT_HEADERS.includes(name) && (COUNT.test(value) || HTTP_DATE.test(value)),
  );
  const all = [...kept, ...(contentType === undefined ? [] : [['content-type', contentType]])];
  return all.length === 0 ? {} : { headers: Object.fromEntries(all) };
};

/** Sent in place of a body that is not JSON, such as the error page of a load balancer: its content is unknown. */
const PAGE = '<!doctype html><title>Recorded page</title>';

/** The types of pages that are recorded. Any other type may contain a name or a key. */
const PAGE_TYPE = /^(?:text\/(?:html|plain|xml)|application\/(?:json|xml))(?=\s*(?:;|$))/;

const typeOf = (headers: Headers): string =>
  PAGE_TYPE.exec((headers.get('content-type') ?? '').toLowerCase())?.[0] ?? 'application/octet-stream';

/** The name of the missing scope, which clients read from the message of a 403. */
const SCOPE = /\b(?:read|write):[a-z]{1,40}\b/;

/** The body of an error response, with a code that the mock knows or a stand-in. */
const errorOf = (cleaner: Cleaner, body: z.output<typeof ErrorEnvelopeSchema>): unknown => {
  const { error } = cleaner.value(body, ErrorEnvelopeSchema) as typeof body;
  const scope = SCOPE.exec(body.error)?.[0] ?? '';
  return {
    success: false,
    error: CONTRACT_SCOPES.includes(scope) ? `${error} (${scope})` : error,
    code: cleaner.code(body.code),
  };
};

/** The body of any other response that was JSON. */
const bodyOf = (cleaner: Cleaner, body: unknown, { response }: Operation): unknown => {
  const clean = cleaner.value(body, response);
  // The mock sends a text as it is, so one that is JSON needs its quotes.
  return typeof clean === 'string' ? JSON.stringify(clean) : clean;
};

/** What a reply has to be recorded as; `undefined` if the mock gives the same from rows. */
const ofReply = (
  operation: Operation,
  { status, headers, bytes }: ServiceReply,
): RecordedFault | undefined => {
  const { value, problem } = readJson(textOf(bytes));
  if (problem !== undefined) {
    const page = bytes.length === 0 ? '' : PAGE;
    const kept = headersOf(headers, page === '' ? undefined : typeOf(headers));
    return () => ({ status, body: page, ...kept });
  }
  const isUsual = status === operation.status || isCreated(operation, status);
  const isValid = isUsual && operation.response.safeParse(value).success;
  if (isValid && !WITHOUT_ROWS.includes(operation.id)) {
    return undefined;
  }
  const kept = headersOf(headers);
  const { data: error } = ErrorEnvelopeSchema.safeParse(status >= 400 ? value : undefined);
  return (cleaner) => ({
    status,
    body: error === undefined ? bodyOf(cleaner, value, operation) : errorOf(cleaner, error),
    ...kept,
  });
};

/** What an exchange has to be recorded as; `undefined` if the mock gives the same from rows. */
export const toRecordedFault = (operation: Operation, outcome: Outcome): RecordedFault | undefined => {
  if (outcome.kind === 'reply') {
    return ofReply(operation, outcome);
  }
  if (outcome.kind === 'failure') {
    return () => ({ status: outcome.status, code: outcome.code });
  }
  const { head } = outcome;
  // With a status, the operation of the mock does not run.
  const status = head?.status === operation.status ? undefined : head?.status;
  const network = head === undefined ? 'error' : 'truncate';
  return () => ({ network, ...(status !== undefined && { status }) });
};
