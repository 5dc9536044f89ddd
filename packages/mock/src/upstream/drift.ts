import type { Operation } from '@confab/client/contract';
import { describeIssues, ErrorEnvelopeSchema } from '@confab/client/contract';
import { pathName, typeName } from '@confab/internal';
import * as z from 'zod/mini';
import type { NamedCode } from '../errors/refusal.ts';
import { isBodiless } from '../request/envelope.ts';
import { inspectInput, readQuery } from '../request/input.ts';
import { createStrictCopier } from '../request/strict.ts';
import type { ForwardedRequest, Outcome, ServiceReply } from './fetch-upstream.ts';
import { unreachableReason } from './fetch-upstream.ts';

// Each difference becomes a line with its path, the expectation of the contract and the type of the value. The value itself
// may be personal.

const errorWith = (...codes: NamedCode[]) => z.extend(ErrorEnvelopeSchema, { code: z.enum(codes) });

/** The error responses of the API, each with its codes if the API names them. */
const ERRORS = new Map<number, z.ZodMiniObject>([
  [400, ErrorEnvelopeSchema],
  [401, errorWith('API_KEY_REQUIRED', 'API_KEY_INVALID')],
  [403, errorWith('SCOPE_REQUIRED')],
  [404, ErrorEnvelopeSchema],
  [409, ErrorEnvelopeSchema],
  [429, errorWith('RATE_LIMIT_EXCEEDED')],
]);

/** The schema of the body of a response. */
export const schemaOf = ({ response }: Operation, status: number): z.ZodMiniObject =>
  status < 300 ? response : (ERRORS.get(status) ?? ErrorEnvelopeSchema);

/** The headers of a 429, all whole numbers. */
export const LIMIT_HEADERS: readonly string[] = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'retry-after'];

/** The maximum number of issues per response. A page of rows may have thousands. */
const MAX_ISSUES = 1_000;

/** A schema of only the values that the contract lists, although clients must accept others too. */
export const listedValues = (schema: z.core.$ZodType): z.core.$ZodType => {
  const values = z.globalRegistry.get(schema)?.examples;
  return Array.isArray(values) ? z.enum(values) : schema;
};

/** Copies a schema. The copy accepts only the fields and the enum values that the contract lists. */
const exactSchema = createStrictCopier(listedValues);

/** Quotes a value that looks like an enum value, because the reader needs to know it; otherwise names its type. */
const wordOrType = (value: unknown): string =>
  typeof value === 'string' && /^[a-z][a-z_-]{0,39}$/i.test(value) ? JSON.stringify(value) : typeName(value);

/** Shows a name that looks like that of a field. Any other could be a value, such as a phone number that is used as a key. */
const fieldName = (name: string): string => (/^[a-z_$][\w$-]{0,39}$/i.test(name) ? name : '{…}');

const issueDrift = (issue: z.core.$ZodIssue, value: unknown): string[] => {
  if (issue.code === 'unrecognized_keys') {
    const paths = issue.keys.map((key) => pathName([...issue.path, fieldName(key)], 'body'));
    return paths.map((path) => `${path} is not in the contract`);
  }
  const show = issue.code === 'invalid_value' ? wordOrType : typeName;
  return describeIssues({ issues: [issue] }, value, 'body', show).map(
    ({ path, message }) => `${path} ${message}`,
  );
};

const bodyDrift = (operation: Operation, { status, headers, json }: ServiceReply): string[] => {
  const type = /^[a-z]+\/[a-z.+-]+/i.exec(headers.get('content-type') ?? '')?.[0] ?? 'none';
  if (type.toLowerCase() !== 'application/json') {
    return [`headers.content-type must be application/json, got ${type}`];
  }
  if (json.problem !== undefined) {
    return [`body ${json.problem}`];
  }
  const { error } = z.safeParse(exactSchema(schemaOf(operation, status)), json.value);
  return error?.issues.slice(0, MAX_ISSUES).flatMap((issue) => issueDrift(issue, json.value)) ?? [];
};

const responseDrift = (operation: Operation, method: string, outcome: Outcome): string[] => {
  if (outcome.kind === 'connection-lost') {
    return ['connection must not break'];
  }
  if (outcome.kind === 'failure') {
    // A service that was not reached has sent nothing that could differ from the contract.
    return unreachableReason(outcome) === undefined ? [`connection ${outcome.message}`] : [];
  }
  const { status, headers } = outcome;
  const isKnown = status === operation.status || ERRORS.has(status);
  const expected = `${operation.status}, or ${[...ERRORS.keys()].join(', ')} for an error`;
  const invalid = LIMIT_HEADERS.filter((name) => status === 429 && !/^\d+$/.test(headers.get(name) ?? ''));
  const received = (name: string) => (headers.has(name) ? 'other text' : 'none');
  return [
    ...(isKnown ? [] : [`status must be ${expected}, got ${status}`]),
    ...invalid.map((name) => `headers.${name} must be a whole number, got ${received(name)}`),
    ...(isBodiless(status, method) ? [] : bodyDrift(operation, outcome)),
  ];
};

/** Replaces ids and other values in a path, so that equal drift is reported once and the line contains no personal data. */
const patternOf = (path: string): string =>
  path.replace(/[^/]+/g, (segment) => (/^[a-z][a-z_-]*$|^v\d+$/i.test(segment) ? segment : '{…}'));

/** Compares a request and its response with the contract. Returns a line for each difference; lines may contain a key. */
export const findDrift = (
  { route, method, path, search, body }: ForwardedRequest,
  outcome: Outcome,
): string[] => {
  if (route === undefined) {
    return [`${method} ${patternOf(path)} request: path belongs to no operation of the contract`];
  }
  const { id, operation, params } = route;
  const query = readQuery(search, operation.query);
  const { problems } = inspectInput(operation, { params, query, body }, typeName);
  const lines = [
    ...problems.map((problem) => `${id} request: ${problem.path} ${problem.message}`),
    ...responseDrift(operation, method, outcome).map((drift) => `${id} response: ${drift}`),
  ];
  // Each row of a list has the same drift.
  return lines.map((line) => line.replace(/\[\d+\]/g, '[]'));
};

/** More kinds than any service has. A hostile service can make up new field names forever. */
const MAX_KINDS = 1_000;

/** Counts each kind of drift. */
export class DriftLog {
  /** How many requests were compared. */
  requests = 0;
  readonly #counts = new Map<string, number>();

  /** Adds the drift of one request and its response, and returns its new kinds. */
  add(drift: readonly string[]): string[] {
    this.requests += 1;
    const lines = [...new Set(drift)];
    const isKnown = (line: string): boolean => this.#counts.has(line);
    const added = lines.filter((line) => !isKnown(line)).slice(0, MAX_KINDS - this.#counts.size);
    for (const line of [...lines.filter(isKnown), ...added]) {
      this.#counts.set(line, (this.#counts.get(line) ?? 0) + 1);
    }
    return added;
  }

  /** Returns a line for each kind of drift, with the number of requests that had it, most frequent first. */
  summary(): string[] {
    return [...this.#counts].sort(([, a], [, b]) => b - a).map(([line, count]) => `${count} × ${line}`);
  }
}
