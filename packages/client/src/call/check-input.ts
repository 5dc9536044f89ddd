import { oneLine, typeName } from '@confab/internal';
import { checkShape } from '../contract/check-shape.ts';
import { preview, shortened } from '../contract/issues.ts';
import type { OperationShapes } from '../contract/shape.ts';
import { shapes } from '../contract/shapes.ts';
import type { Issue, OperationName } from '../contract/types/index.ts';
import { InvalidRequestError } from '../errors/index.ts';
import type { Redact } from '../errors/redaction.ts';
import { visible } from '../errors/redaction.ts';
import type { CallOptions } from '../options/client-options.ts';
import { isObject } from '../options/is-object.ts';
import { CALL_OPTIONS } from '../options/option-checks.ts';
import type { ResolvedClientOptions } from '../options/resolve-client-options.ts';
import { queryProblem } from './check-content.ts';
import { checkExtra } from './extra-fields.ts';

/** The settings of an operation that its calls depend on. */
export interface CallOperation {
  readonly id: OperationName;
  readonly method: string;
  /** Path below the base URL, with `{name}` for each parameter. */
  readonly path: string;
  /** True when a repeat is harmless. */
  readonly idempotent: boolean;
  /** Default for one attempt, in milliseconds. */
  readonly timeout: number;
  /** Default for the whole call, in milliseconds. */
  readonly deadline: number;
}

/** The input of a call, before it is checked. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** Problems that were found already. */
  readonly issues?: readonly Issue[];
}

/** A checked request, without the API key. */
export interface ApiRequest {
  readonly operation: OperationName;
  /** Name of the call in messages: its operation, or the method and path of a `confab.request`. */
  readonly label: string;
  readonly method: string;
  /** Path and query, to append to the base URL. */
  readonly path: string;
  /** JSON; undefined for none. */
  readonly body: string | undefined;
}

type InputShapes = Partial<Pick<OperationShapes, 'params' | 'query' | 'body'>>;

/** Characters of a name to redact; messages show fewer. */
const MAX_NAME = 100;

/** Characters of a path in messages. */
const MAX_PATH = 200;

type Client = Pick<ResolvedClientOptions, 'baseUrl' | 'key'>;

const labelOf = ({ method, path }: CallOperation, { baseUrl, key }: Client): string => {
  const url = oneLine(key.redact(path.startsWith('/') ? baseUrl + path : path));
  // A query may contain a phone number.
  return `${method} ${url.replace(/\?.*|^https?:\/\/[^/]*/gs, '').slice(0, MAX_PATH)}`;
};

/** Checks an input against the contract, and returns every problem. */
const checkContract = (wanted: InputShapes, input: CallInput, redact: Redact): Issue[] => {
  const issues: Issue[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const shape = wanted[part];
    if (shape) {
      const found = checkShape(part === 'body' ? input.body : (input[part] ?? {}), shape, {
        root: part === 'params' ? '' : part,
        // A caller who mixes up arguments may have passed the API key.
        show: (received) => preview(typeof received === 'string' ? redact(received) : received),
        clean: (name) => visible(oneLine(redact(name, MAX_NAME))),
        options: [...Object.keys(CALL_OPTIONS), 'prefetch'],
      });
      issues.push(...found);
    }
  }
  return issues;
};

/** Returns the parameters that cannot be written into a URL. */
const checkParameters = (query: object, redact: Redact): Issue[] =>
  Object.entries(query)
    .filter(([, value]) => typeof value === 'object' || typeof value === 'function')
    .map(([name, value]) => ({
      path: `query.${shortened(oneLine(redact(name, MAX_NAME)))}`,
      message: `must be a string, number or boolean, not ${typeName(value)}`,
    }));

/** Returns what the receiver of a body will parse. */
const toPlain = (body: unknown): { readonly plain: unknown; readonly issues: readonly Issue[] } => {
  try {
    const text = JSON.stringify(body);
    return { plain: text && JSON.parse(text), issues: [] };
  } catch {
    return { plain: undefined, issues: [{ path: 'body', message: 'cannot be written as JSON' }] };
  }
};

/** Parameters that are undefined are left out. */
const toSearch = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
};

/**
 * Checks the input of a call against the contract and makes the request of it.
 *
 * @throws {@link InvalidRequestError} When the input breaks the contract. It names every problem.
 */
export const checkInput = (
  operation: CallOperation,
  input: CallInput,
  options: CallOptions,
  client: Client,
): ApiRequest => {
  const { id, method } = operation;
  const { extraQuery, extraBody }: CallOptions = options ?? {};
  const label = id === 'request' ? labelOf(operation, client) : id;
  const { redact } = client.key;
  const wanted: InputShapes = id === 'request' ? {} : shapes[id];
  // What is sent may differ from what was given: fields may be getters of a class, and `toJSON` may return anything.
  const query = { ...input.query };
  const body = toPlain(input.body);
  const extra = isObject(extraBody) ? toPlain(extraBody) : { plain: extraBody, issues: [] };

  const problem = queryProblem(input.query);
  const given: Issue[] = [
    ...(problem === undefined ? [] : [{ path: 'query', message: problem }]),
    ...(input.issues ?? []),
    ...checkContract(wanted, input, redact),
    ...body.issues,
  ];
  const issues: Issue[] = [
    ...(given.length > 0 ? given : checkContract(wanted, { ...input, query, body: body.plain }, redact)),
    ...extra.issues,
    ...checkExtra('extraQuery', query, extraQuery, wanted.query?.properties, redact),
    ...checkExtra('extraBody', body.plain, extra.plain, wanted.body?.properties, redact),
    ...checkParameters({ ...query, ...Object(extraQuery) }, redact),
  ];
  if (issues.length > 0) {
    throw new InvalidRequestError(id, issues, label);
  }
  // Ids are UUIDs, so nothing needs escaping; encoding them anyway keeps this function safe by itself.
  const filledIn = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input.params?.[name])),
  );
  return {
    operation: id,
    label,
    method,
    path: filledIn + toSearch({ ...query, ...Object(extraQuery) }),
    body: JSON.stringify(extra.plain === undefined ? body.plain : { ...Object(body.plain), ...extra.plain }),
  };
};
