import type { Operation } from '@confab/client/contract';
import { describeIssues, ErrorEnvelopeSchema } from '@confab/client/contract';
import { oneLine, pathName, typeName } from '@confab/internal';
import * as z from 'zod/mini';
import type { NamedCode } from '../../errors/refusal.ts';
import { isBodiless } from '../../request/envelope.ts';
import { textOf } from '../../request/incoming-request.ts';
import { inspectInput } from '../../request/input.ts';
import { readJson } from '../../request/json.ts';
import { createStrictCopier } from '../../request/strict.ts';
import type { Exchange, ForwardedRequest, ServiceReply } from './ask-service.ts';
import { unreachable } from './ask-service.ts';

/**
 * A difference from the contract: where it is, what the contract expects, and the type of what is there. The value itself
 * may be personal.
 */
interface Finding {
  /** `body.data[].phone`. */
  readonly path: string;
  readonly message: string;
}

/** The error responses of the API, each with its codes if the API names them. */
const ERRORS: ReadonlyMap<number, readonly NamedCode[]> = new Map([
  [400, []],
  [401, ['API_KEY_REQUIRED', 'API_KEY_INVALID']],
  [403, ['SCOPE_REQUIRED']],
  [404, []],
  [409, []],
  [429, ['RATE_LIMIT_EXCEEDED']],
]);

/** The headers of a 429, all whole numbers. */
export const LIMIT_HEADERS: readonly string[] = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'];

/** The maximum number of findings per response. A page of rows may have thousands. */
const MAX_ISSUES = 1_000;

const EnumDocument = z.object({ anyOf: z.tuple([z.object({ enum: z.array(z.string()) })], z.unknown()) });

/** A copy of a schema that accepts exactly what the contract lists: no further field, and no further value of an enum. */
const exactSchema = createStrictCopier((schema) => {
  const document = EnumDocument.safeParse(z.toJSONSchema(schema));
  return document.success ? z.enum(document.data.anyOf[0].enum) : schema;
});

/** Shows new enum values, because the reader needs to know them. */
const wordOrType = (value: unknown): string =>
  typeof value === 'string' && /^[a-z][a-z_-]{0,39}$/i.test(value) ? JSON.stringify(value) : typeName(value);

/** A name that a program gave to a field; any other could be a value, such as the phone in a map of phones. */
const fieldName = (name: string): string => (/^[a-z_$][\w$-]{0,39}$/i.test(name) ? name : '{…}');

const findingsOf = (issue: z.core.$ZodIssue, value: unknown): Finding[] =>
  issue.code === 'unrecognized_keys'
    ? issue.keys.map((key) => ({
        path: pathName([...issue.path, fieldName(key)], 'body'),
        message: 'is not in the contract',
      }))
    : describeIssues(
        { issues: [issue] },
        value,
        'body',
        issue.code === 'invalid_value' ? wordOrType : typeName,
      );

function* checkContent(operation: Operation, { status, headers, bytes }: ServiceReply): Iterable<Finding> {
  const type = headers.get('content-type') ?? 'none';
  if (!/^application\/json\b/i.test(type)) {
    const shown = /^[a-z]+\/[a-z.+-]+|^none$/i.exec(type)?.[0] ?? 'other text';
    yield { path: 'headers.content-type', message: `must be application/json, got ${shown}` };
    return;
  }
  const { value, problem } = readJson(textOf(bytes));
  if (problem !== undefined) {
    yield { path: 'body', message: problem };
    return;
  }
  const schema = exactSchema(status < 300 ? operation.response : ErrorEnvelopeSchema);
  for (const issue of z.safeParse(schema, value).error?.issues.slice(0, MAX_ISSUES) ?? []) {
    yield* findingsOf(issue, value);
  }
  const codes: readonly string[] = ERRORS.get(status) ?? [];
  const code = ErrorEnvelopeSchema.safeParse(value).data?.code;
  if (codes.length > 0 && code !== undefined && !codes.includes(code)) {
    yield { path: 'body.code', message: `must be ${codes.join(' or ')}, got ${wordOrType(code)}` };
  }
}

function* checkReply(operation: Operation, method: string, reply: ServiceReply): Iterable<Finding> {
  const { status, headers } = reply;
  if (status !== operation.status && !ERRORS.has(status)) {
    const errors = [...ERRORS.keys()].join(', ');
    yield {
      path: 'status',
      message: `must be ${operation.status}, or ${errors} for an error, got ${status}`,
    };
  }
  for (const name of LIMIT_HEADERS) {
    const value = headers.get(name);
    if (value === null ? status === 429 : !/^\d+$/.test(value)) {
      const got = value === null ? 'but it is missing' : 'got other text';
      yield { path: `headers.${name}`, message: `must be a whole number, ${got}` };
    }
  }
  if (method !== 'HEAD' && !isBodiless(status)) {
    yield* checkContent(operation, reply);
  }
}

const WORD = /^[a-z][a-z_-]*$|^v\d+$/i;

/** Replaces ids and other values in a path, so that equal drift is reported once and the line contains no personal data. */
const patternOf = (path: string): string =>
  path.replace(/[^/]+/g, (segment) => (WORD.test(segment) ? segment : '{…}'));

const responseFindings = ({ request, outcome }: Exchange, operation: Operation): Iterable<Finding> => {
  if (outcome.kind === 'reply') {
    return checkReply(operation, request.method, outcome);
  }
  const message = outcome.kind === 'lost' ? 'must not break' : outcome.message;
  // A service that was not reached has said nothing that could differ from the contract.
  return unreachable(outcome) === undefined ? [{ path: 'connection', message }] : [];
};

const requestFindings = ({ query, body }: ForwardedRequest, route: NonNullable<ForwardedRequest['route']>) =>
  inspectInput(route.operation, { params: route.params, query, body }, typeName).problems;

/** Compares a request and its response with the contract, and returns a line for each difference. */
const driftOf = (exchange: Exchange): string[] => {
  const { route, method, path } = exchange.request;
  if (route === undefined) {
    return [`${method} ${patternOf(path)} request: path belongs to no operation of the contract`];
  }
  const lines = (side: string, findings: Iterable<Finding>): string[] =>
    Array.from(
      findings,
      // Each row of a list has the same drift.
      (finding) => `${route.id} ${side}: ${finding.path.replace(/\[\d+\]/g, '[]')} ${finding.message}`,
    );
  return [
    ...lines('request', requestFindings(exchange.request, route)),
    ...lines('response', responseFindings(exchange, route.operation)),
  ];
};

/** More kinds than any service has; a hostile one can make up new field names forever. */
const MAX_KINDS = 1_000;

/** Characters of a line. */
const MAX_LINE = 400;

/** Counts what drifts, and reports each kind of it once. */
export class DriftLog {
  readonly #counts = new Map<string, number>();
  readonly #report: (line: string) => void;

  /** @param report Called with a line for each new kind of drift. */
  constructor(report: (line: string) => void) {
    this.#report = report;
  }

  /** @param redact Removes the keys from what the service or the caller wrote. */
  add(exchange: Exchange, redact: (text: string, most?: number) => string): void {
    for (const line of new Set(driftOf(exchange).map((drift) => oneLine(redact(drift, MAX_LINE))))) {
      const count = this.#counts.get(line) ?? 0;
      if (count === 0 && this.#counts.size >= MAX_KINDS) {
        continue;
      }
      this.#counts.set(line, count + 1);
      if (count === 0) {
        this.#report(line);
      }
    }
  }

  /** A line for each kind of drift, with the number of requests that had it, most frequent first. */
  summary(): string[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([line, count]) => `${count} × ${line}`);
  }
}
