import type { Operation } from '@confab/client/contract';
import { describeIssues } from '@confab/client/contract';
import type * as z from 'zod/mini';
import { isDeep, MAX_DEPTH } from '../http/is-deep.ts';
import type { RawQuery } from '../http/query.ts';
import { invalid } from '../http/refusal.ts';

/** The parts of a request, as they came. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly body: string;
}

/** The parts of a request, as the contract has them. */
export interface CheckedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What a body is: its value in JSON, or the text itself and what keeps it from being one. */
interface ReadJson {
  readonly value: unknown;
  /** Says what is wrong with a text that is not taken for JSON. */
  readonly problem: string | undefined;
}

/** Reads a text as JSON, without the byte order mark that may stand before it. */
export const readJson = (body: string): ReadJson => {
  const text = body.startsWith('\uFEFF') ? body.slice(1) : body;
  // Most requests have no body, and an exception for each of them would cost more than all the rest.
  if (text === '') {
    return { value: undefined, problem: 'must be JSON, not empty' };
  }
  if (isDeep(text)) {
    return { value: text, problem: `must not be nested deeper than ${MAX_DEPTH} levels` };
  }
  try {
    return { value: JSON.parse(text), problem: undefined };
  } catch {
    return { value: text, problem: 'must be JSON, not other text' };
  }
};

const checkPart = (
  part: string,
  schema: z.ZodMiniObject | undefined,
  value: unknown,
  problems: string[],
): unknown => {
  if (schema === undefined) {
    return undefined;
  }
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  for (const { path, message } of describeIssues(result.error, value, part)) {
    problems.push(`${path} ${message}`);
  }
  return undefined;
};

/**
 * Checks a request against the contract.
 *
 * @throws {Refusal} 400, with everything that is wrong with it.
 */
export const checkInput = (operation: Operation, raw: RawInput): CheckedInput => {
  const problems: string[] = [];
  const params = checkPart('params', operation.params, raw.params, problems);
  for (const name of raw.query.repeated) {
    problems.push(`query.${name} must be given once, not several times`);
  }
  const query = checkPart('query', operation.query, raw.query.values, problems);
  if (operation.query === undefined) {
    const unknown = Object.keys(raw.query.values);
    if (unknown.length > 0) {
      problems.push(`query has unknown fields: ${unknown.join(', ')}`);
    }
  }
  let body: unknown;
  if (operation.body !== undefined) {
    const { value, problem } = readJson(raw.body);
    if (problem === undefined) {
      body = checkPart('body', operation.body, value, problems);
    } else {
      problems.push(`body ${problem}`);
    }
  }
  if (problems.length > 0) {
    throw invalid(problems.join('; '));
  }
  return { params, query, body };
};
