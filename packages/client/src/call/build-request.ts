import { oneLine, typeName, visible } from '@confab/internal';
import { describeIssues, preview, shortened, unknownFields } from '../contract/issues.ts';
import type { Operation } from '../contract/operations.ts';
import { operations } from '../contract/operations.ts';
import type { Issue } from '../contract/types.ts';
import { InvalidRequestError } from '../errors/index.ts';
import type { Redact } from '../errors/safe-cause.ts';
import type { CallOptions } from '../options/client-options.ts';
import { CALL_OPTIONS } from '../options/option-checks.ts';
import type { ResolvedClientOptions } from '../options/resolve-options.ts';
import type { ApiRequest, CallInput, CallOperation } from './types.ts';

/** The class of an object: `Object`, `Map`. Unlike `instanceof`, it works for objects of another realm. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

/** Returns what is wrong with a query whose parameters would be lost, as those of a Map would be. */
export const queryProblem = (query: unknown): string | undefined =>
  query === undefined || tagOf(query) === 'Object'
    ? undefined
    : `must be a plain object such as { limit: 10 }, got ${typeName(query)}`;

/** The schemas of an input. A custom request has none. */
type InputSchemas = Partial<Operation>;

/** Names that belong in the next argument. */
const OPTION_NAMES = [...Object.keys(CALL_OPTIONS), 'prefetch'];

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
const checkContract = (schemas: InputSchemas, input: CallInput, redact: Redact): Issue[] => {
  const issues: Issue[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = schemas[part];
    const value = part === 'body' ? input.body : (input[part] ?? {});
    const error = schema?.safeParse(value).error;
    if (schema && error) {
      // A caller who mixes up arguments may have passed the API key.
      const show = (received: unknown) => preview(typeof received === 'string' ? redact(received) : received);
      const clean = (name: string) => visible(oneLine(redact(name, MAX_NAME)));
      const known = Object.keys(schema.shape);
      issues.push(
        ...describeIssues(error, value, part === 'params' ? '' : part, show, (names) =>
          unknownFields(names, known, clean, OPTION_NAMES),
        ),
      );
    }
  }
  return issues;
};

/**
 * Checks the fields of `extraQuery` or `extraBody`, which the contract does not know.
 *
 * @param value The query or body to add them to.
 * @param known Fields of the contract.
 */
const checkExtra = (
  path: 'extraQuery' | 'extraBody',
  value: unknown,
  extra: unknown,
  known: object = {},
  redact: Redact,
): Issue[] => {
  const isRecord = (given: unknown): given is object => tagOf(given) === 'Object';
  if (!isRecord(extra) || !isRecord(value)) {
    return [{ path, message: 'must be an object, and the request must have one to extend' }];
  }
  // Fields that the caller left out count too. Otherwise, `extraBody` could bypass their checks.
  const taken = Object.keys({ ...known, ...value });
  return Object.keys(extra)
    .filter((name) => taken.includes(name))
    .map((name) => ({
      path: `${path}.${shortened(oneLine(redact(name, MAX_NAME)))}`,
      message: 'is a known field: pass it as a normal field',
    }));
};

/** Writes a query as text. Parameters that are undefined are left out. */
const toSearch = (query: object, redact: Redact): { readonly search: string; readonly issues: Issue[] } => {
  const parameters = new URLSearchParams();
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'object' || typeof value === 'function') {
      const path = `query.${shortened(oneLine(redact(name, MAX_NAME)))}`;
      issues.push({ path, message: `must be a string, number or boolean, not ${typeName(value)}` });
    } else if (value !== undefined) {
      parameters.append(name, String(value));
    }
  }
  const text = String(parameters);
  return { search: text === '' ? '' : `?${text}`, issues };
};

/** Returns what the receiver of a body will parse. */
const toPlain = (body: unknown): { readonly plain: unknown; readonly issues: readonly Issue[] } => {
  if (body === undefined) {
    return { plain: undefined, issues: [] };
  }
  try {
    const text = JSON.stringify(body);
    // JSON keeps nothing of a Map or a function, and not the meaning of bytes.
    const isLost = text === undefined || (text.startsWith('{') && tagOf(body) !== 'Object');
    return {
      plain: text && JSON.parse(text),
      issues: isLost ? [{ path: 'body', message: `must be JSON data, got ${typeName(body)}` }] : [],
    };
  } catch {
    return { plain: undefined, issues: [{ path: 'body', message: 'cannot be written as JSON' }] };
  }
};

/**
 * Checks the input of a call against the contract and builds the request.
 *
 * @throws {@link InvalidRequestError} When the input breaks the contract. It names every problem.
 */
export const buildRequest = (
  operation: CallOperation,
  input: CallInput,
  options: CallOptions | undefined,
  client: Client,
): ApiRequest => {
  const { id, method, path } = operation;
  const { redact } = client.key;
  const label = id === 'request' ? labelOf(operation, client) : (operation.label ?? id);
  const schemas: InputSchemas = id === 'request' ? {} : operations[id];
  const { extraQuery, extraBody } = options ?? {};

  // Checks the serialized values, because `toJSON` may return anything.
  const query = { ...input.query };
  const body = toPlain(input.body);
  const extra = typeof extraBody === 'object' ? toPlain(extraBody) : { plain: extraBody, issues: [] };
  const { search, issues: unwritable } = toSearch({ ...query, ...Object(extraQuery) }, redact);

  const problem = queryProblem(input.query);
  const issues: Issue[] = [
    ...(problem === undefined ? [] : [{ path: 'query', message: problem }]),
    ...(input.issues ?? []),
    ...checkContract(schemas, { ...input, query, body: body.plain }, redact),
    ...body.issues,
    ...extra.issues,
    ...(extraQuery === undefined
      ? []
      : checkExtra('extraQuery', query, extraQuery, schemas.query?.shape, redact)),
    ...(extra.plain === undefined
      ? []
      : checkExtra('extraBody', body.plain, extra.plain, schemas.body?.shape, redact)),
    ...unwritable,
  ];
  if (issues.length > 0) {
    throw new InvalidRequestError(id, issues, label);
  }
  const sent = extra.plain === undefined ? body.plain : { ...Object(body.plain), ...Object(extra.plain) };
  return {
    operation: id,
    label,
    method,
    // Ids are UUIDs, so nothing needs escaping; encoding them anyway keeps this function safe by itself.
    path:
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name]))) +
      search,
    body: JSON.stringify(sent),
  };
};
