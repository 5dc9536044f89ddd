import type { Operation } from '@confab/client/contract';
import { describeIssues } from '@confab/client/contract';
import type * as z from 'zod/mini';
import type { RawQuery } from '../http/query.ts';
import { readJson } from '../http/read-json.ts';
import { invalid } from '../http/refusal.ts';

/** The parts of a request before the check. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly body: string;
}

/** The parts of a request after the check, as the contract defines them. */
export interface CheckedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

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
 * @throws {@link Refusal} 400, when the input is invalid, with every problem.
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
