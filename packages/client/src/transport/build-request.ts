import { oneLine, typeName } from '@confab/internal';
import type { CallInput } from '../call/check-input.ts';
import { checkInput, fieldNames } from '../call/check-input.ts';
import { shortened } from '../contract/issues.ts';
import { operations } from '../contract/operations.ts';
import type { Issue, OperationId, OperationName } from '../contract/types.ts';
import { InvalidRequestError } from '../errors/index.ts';
import type { CallOptions } from '../options/client-options.ts';
import { isObject } from '../options/is-object.ts';
import { withoutKey } from '../options/without-key.ts';
import type { Redact } from '../secrecy/redact.ts';
import { addExtra } from './add-extra.ts';
import { queryProblem } from './check-content.ts';
import { labelOf } from './label.ts';

/** Characters of a name to redact; messages show fewer. */
const LONGEST_NAME = 100;

/** The settings of an operation that its requests depend on. */
interface RequestSettings {
  readonly id: OperationName;
  readonly idempotent: boolean;
  readonly timeout: number;
  readonly deadline: number;
  readonly method: string;
  readonly path: string;
}

/** What a method passes on, before it is checked. */
export interface OperationInput extends CallInput {
  /** Called when the request is repeated although the service may have acted on an earlier attempt. */
  readonly onUncertainRepeat?: () => void;
  /** Returns the settings of a request that is no operation, and adds its problems to the list. */
  readonly describe?: (issues: Issue[]) => RequestSettings;
}

/** A checked request, without the API key. */
export interface ApiRequest {
  readonly id: OperationName;
  readonly operation: RequestSettings;
  /** Path and query, to append to the base URL. */
  readonly path: string;
  /** JSON; undefined for none. */
  readonly body: string | undefined;
}

// Ids are UUIDs, so nothing needs escaping; encoding them anyway keeps this function safe by itself.
const fillIn = (path: string, params: OperationInput['params']): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));

const toQueryString = (query: object, redact: Redact, issues: Issue[]): string => {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object' || typeof value === 'function') {
      issues.push({
        path: `query.${shortened(oneLine(redact(name, LONGEST_NAME)))}`,
        message: `must be a string, number or boolean, not ${typeName(value)}`,
      });
    } else if (value !== undefined) {
      search.append(name, String(value));
    }
  }
  return search.size === 0 ? '' : `?${search}`;
};

/** Returns what the receiver of a body will parse. */
const toPlain = (body: unknown, issues: Issue[]): unknown => {
  try {
    const text = JSON.stringify(body);
    return text && JSON.parse(text);
  } catch {
    issues.push({ path: 'body', message: 'cannot be written as JSON' });
    return undefined;
  }
};

/**
 * Checks an input against the contract and builds the request from it.
 *
 * @throws {@link InvalidRequestError} When the input breaks the contract.
 */
export const buildRequest = (
  id: OperationName,
  input: OperationInput,
  redact: Redact,
  { extraQuery, extraBody }: CallOptions,
): ApiRequest => {
  const problem = queryProblem(input.query);
  const issues: Issue[] = problem === undefined ? [] : [{ path: 'query', message: problem }];
  const operation: RequestSettings =
    withoutKey(redact, () => input.describe?.(issues)) ?? operations[id as OperationId];
  const { params } = input;
  // An object may have fields that are not sent, such as getters of its class, and `toJSON` may return anything.
  const query = { ...input.query };
  const body = toPlain(input.body, issues);
  const sent = checkInput(id, { ...input, query, body }, redact);
  issues.push(...(sent.length > 0 ? sent : checkInput(id, input, redact)));
  const search = toQueryString(
    addExtra('extraQuery', query, extraQuery, fieldNames(id, 'query'), redact, issues),
    redact,
    issues,
  );
  const extra = isObject(extraBody) ? toPlain(extraBody, issues) : extraBody;
  const text = JSON.stringify(addExtra('extraBody', body, extra, fieldNames(id, 'body'), redact, issues));
  if (issues.length > 0) {
    const { method, path } = operation;
    throw new InvalidRequestError(id, issues, labelOf({ operation: id, method, url: oneLine(redact(path)) }));
  }
  return { id, operation, path: fillIn(operation.path, params) + search, body: text };
};
