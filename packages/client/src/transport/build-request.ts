import type { Operation } from '../contract/index.ts';
import { describeIssues, operations } from '../contract/index.ts';
import { preview } from '../contract/issues.ts';
import type { Issue, OperationId, OperationSettings } from '../contract/types/index.ts';
import { InvalidRequestError } from '../errors/index.ts';
import type { Redact } from '../secrecy/redact.ts';

/** What a method hands over, before it is checked. */
export interface Input {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Called when the request is sent again although an earlier attempt may have been carried out. */
  readonly onLostAnswer?: () => void;
}

/** A checked request, without the key. */
export interface PreparedRequest {
  readonly operation: OperationId;
  readonly method: OperationSettings['method'];
  /** Path and query, to append to the base URL. */
  readonly path: string;
  readonly body: string | undefined;
}

const withoutUndefined = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/**
 * Checks an input against the contract and makes the request of it.
 *
 * @throws {@link InvalidRequestError} with everything that is wrong. Nothing was sent.
 */
export const prepareRequest = (id: OperationId, input: Input, redact: Redact): PreparedRequest => {
  const operation: Operation = operations[id];
  const issues: Issue[] = [];
  // Whoever mistakes one argument for another may have passed the key.
  const show = (received: unknown) => preview(typeof received === 'string' ? redact(received) : received);

  for (const part of ['params', 'query', 'body'] as const) {
    const value = part === 'body' ? input.body : (input[part] ?? {});
    const result = operation[part]?.safeParse(value);
    if (result?.success === false) {
      issues.push(
        ...describeIssues(
          result.error,
          value,
          part === 'params' ? '' : part,
          show,
          Object.keys(operation[part]?.shape ?? {}),
        ),
      );
    }
  }
  if (issues.length > 0) {
    throw new InvalidRequestError(id, issues);
  }

  // Checked above: ids are UUIDs, so nothing needs escaping; encoding them anyway keeps this line safe by itself.
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  const query = new URLSearchParams(
    Object.entries(withoutUndefined(input.query ?? {})).map(([name, value]) => [name, String(value)]),
  ).toString();

  return {
    operation: id,
    method: operation.method,
    path: query === '' ? path : `${path}?${query}`,
    body: operation.body === undefined ? undefined : JSON.stringify(input.body),
  };
};
