import type { Operation } from '@confab/client/contract';
import { ErrorEnvelopeSchema } from '@confab/client/contract';
import { textOf } from '../../http/body.ts';
import { readJson } from '../../http/read-json.ts';
import type { Fault } from '../../world/faults/fault.ts';
import { CONTRACT_SCOPES } from '../../world/keys/check-key.ts';
import type { Outcome, ServiceReply } from '../exchange.ts';
import type { Cleaner } from '../stand-ins/clean.ts';

/** A response that rows can't reproduce, or a lost connection. Its texts are still those of the service. */
export interface RecordedFault {
  readonly operation: Operation;
  /** How many requests of the operation came before. */
  readonly index: number;
  readonly fault: Pick<Fault, 'status' | 'code' | 'network'>;
  readonly headers: Readonly<Record<string, string>>;
  /** The body, if it was JSON; `undefined` if the code says it all, or the body was something else. */
  readonly body?: unknown;
}

/** A POST that created its row, even if the status is another success than that of the contract. */
const isCreated = ({ method, status: expected }: Operation, status: number): boolean =>
  method === 'POST' && expected === 201 && status >= 200 && status < 300;

/** Operations whose results are no rows. */
const WITHOUT_ROWS = ['agents.invoke', 'analytics.funnel'];

/** The headers that programs go by, each with the only form that is recorded. */
const HEADERS: Readonly<Record<string, RegExp>> = {
  'retry-after': /^(?:\d{1,9}|\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT)$/,
  'x-ratelimit-limit': /^\d{1,9}$/,
  'x-ratelimit-remaining': /^\d{1,9}$/,
};

const headersOf = (headers: Headers): Record<string, string> =>
  Object.fromEntries(
    Object.entries(HEADERS).flatMap(([name, form]) => {
      const value = headers.get(name);
      return value !== null && form.test(value) ? [[name, value]] : [];
    }),
  );

/** Sent in place of a body that is not JSON, such as the error page of a load balancer: its content is unknown. */
const PAGE = '<!doctype html><title>Recorded page</title>';

const typeOf = (headers: Headers): string =>
  /^[a-z]+\/[a-z.+-]+/i.exec(headers.get('content-type') ?? '')?.[0] ?? 'application/octet-stream';

/** What a reply has to be recorded as; `undefined` if the mock gives the same from rows. */
const ofReply = (
  operation: Operation,
  { status, headers, bytes }: ServiceReply,
): Pick<RecordedFault, 'fault' | 'headers' | 'body'> | undefined => {
  const { value, problem } = readJson(textOf(bytes));
  if (problem !== undefined) {
    const isEmpty = bytes.length === 0;
    return {
      fault: { status },
      headers: { ...headersOf(headers), ...(isEmpty ? {} : { 'content-type': typeOf(headers) }) },
      body: isEmpty ? '' : PAGE,
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
    const { network, head } = outcome;
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
  { operation, index, fault, headers, body }: RecordedFault,
  cleaner: Cleaner,
): Fault => {
  const more = {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(index > 0 && { skip: index }),
  };
  if (fault.code !== undefined) {
    const clean = { ...fault, code: cleaner.code(fault.code) };
    return body === undefined
      ? { ...clean, ...more }
      : { status: fault.status, body: errorOf(cleaner, clean.code, body), ...more };
  }
  const isText = body === undefined || typeof body === 'string';
  return {
    ...fault,
    ...(isText ? { ...(body !== undefined && { body }) } : { body: cleaner.value(body, operation.response) }),
    ...more,
  };
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
