import { checkShape } from '../contract/check-shape.ts';
import { preview } from '../contract/issues.ts';
import { operationSettings } from '../contract/settings.ts';
import { shapes } from '../contract/shapes.ts';
import type { Issue, OperationId, OperationSettings } from '../contract/types/index.ts';
import { InvalidRequestError } from '../errors/index.ts';
import type { Redact } from '../secrecy/redact.ts';

/** What a method passes on, before it is checked. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Called when the request is repeated although the service may have acted on an earlier attempt. */
  readonly onUncertainRepeat?: () => void;
}

/** A checked request, without the API key. */
export interface ApiRequest {
  readonly id: OperationId;
  readonly operation: OperationSettings;
  /** Path and query, to append to the base URL. */
  readonly path: string;
  /** JSON; undefined for none. */
  readonly body: string | undefined;
}

/** @returns Every problem of the input, not only the first. */
const findIssues = (id: OperationId, input: OperationInput, redact: Redact): Issue[] => {
  // A caller who mixes up arguments may have passed the API key.
  const show = (received: unknown) => preview(typeof received === 'string' ? redact(received) : received);
  return (['params', 'query', 'body'] as const).flatMap((part) => {
    const shape = shapes[id][part];
    const value = part === 'body' ? input.body : (input[part] ?? {});
    return shape ? checkShape(value, shape, { root: part === 'params' ? '' : part, show }) : [];
  });
};

// Ids are UUIDs, so nothing needs escaping; encoding them anyway keeps this function safe by itself.
const fillIn = (path: string, params: OperationInput['params']): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params?.[name])));

const toQueryString = (query: OperationInput['query'] = {}): string =>
  new URLSearchParams(
    Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  ).toString();

/**
 * Checks an input against the contract and builds the request from it.
 *
 * @throws {@link InvalidRequestError} When the input breaks the contract.
 */
export const buildRequest = (id: OperationId, input: OperationInput, redact: Redact): ApiRequest => {
  const operation: OperationSettings = operationSettings[id];
  const issues = findIssues(id, input, redact);
  if (issues.length > 0) {
    throw new InvalidRequestError(id, issues);
  }
  const path = fillIn(operation.path, input.params);
  const query = toQueryString(input.query);
  return {
    id,
    operation,
    path: query === '' ? path : `${path}?${query}`,
    body: shapes[id].body === undefined ? undefined : JSON.stringify(input.body),
  };
};
