import {
  escapeInvisible,
  isPlainObject,
  oneLine,
  pathName,
  remedyFor,
  typeName,
  writeJson,
} from '@confab/internal';
import { describeIssues, preview, shortened, unknownFields } from '../contract/issues.ts';
import type { Issue } from '../contract/types.ts';
import { InvalidRequestError } from '../errors/index.ts';
import type { CallOptions } from '../options/client-options.ts';
import { hintForCallOption } from '../options/option-checks.ts';
import type { ClientSettings } from '../options/resolve-options.ts';
import type { Redact } from '../secrecy/redact.ts';
import type { ApiRequest, CallInput, CallOperation } from './types.ts';

/** Characters of a name to redact; messages show fewer. */
const MAX_NAME = 100;

/** Characters of a path in messages. */
const MAX_PATH = 200;

type Settings = Pick<ClientSettings, 'baseUrl' | 'key'>;

const writeLabel = ({ method, path }: CallOperation, { baseUrl, key }: Settings): string => {
  const url = oneLine(key.redact(path.startsWith('/') ? baseUrl + path : path));
  // A query may contain a phone number.
  return `${method} ${url.replace(/\?.*|^https?:\/\/[^/]*/gs, '').slice(0, MAX_PATH)}`;
};

/** Removes the key from a name, and shows invisible characters. */
const cleanName = (name: string, redact: Redact): string => escapeInvisible(oneLine(redact(name, MAX_NAME)));

/** Checks an input against the contract, and returns every problem. */
const checkContract = (operation: CallOperation, input: CallInput, redact: Redact): Issue[] => {
  const issues: Issue[] = [];
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = operation[part];
    const value = part === 'body' ? input.body : (input[part] ?? {});
    const error = schema?.safeParse(value).error;
    if (schema && error) {
      // A caller who mixes up arguments may have passed the API key.
      const show = (received: unknown) => preview(typeof received === 'string' ? redact(received) : received);
      const clean = (name: string) => cleanName(name, redact);
      const fields = Object.keys(schema.shape);
      issues.push(
        ...describeIssues(error, value, part === 'params' ? '' : part, show, (names) =>
          unknownFields(names, fields, clean, (name) => hintForCallOption(name, fields)),
        ),
      );
    }
  }
  return issues;
};

/** Returns the issue of a query that is not a plain object, with an example of one. */
const describeQuery = (query: unknown, { query: schema }: CallOperation): Issue => {
  const [name = 'limit'] = Object.keys(schema?.shape ?? {});
  const value = name === 'from' ? "'2026-01-31T12:00:00Z'" : typeof query === 'number' ? query : 10;
  const received = `${typeName(query)}${remedyFor(query)}`;
  return { path: 'query', message: `must be a plain object such as { ${name}: ${value} }, got ${received}` };
};

/**
 * Checks the fields of `extraQuery` or `extraBody`, which the contract does not know.
 *
 * @param value The query or body to add them to.
 * @param fields The fields of the contract.
 */
const checkExtra = (
  path: 'extraQuery' | 'extraBody',
  value: unknown,
  extra: unknown,
  fields: object | undefined,
  redact: Redact,
): Issue[] => {
  const part = path === 'extraQuery' ? 'query' : 'body';
  if (!isPlainObject(extra) || !isPlainObject(value)) {
    const received = isPlainObject(extra) ? '' : `, got ${typeName(extra)}${remedyFor(extra)}`;
    return [{ path, message: `must be an object, and the request must have a ${part} to extend${received}` }];
  }
  // Fields that the caller left out count too. Otherwise, `extraBody` could bypass their checks.
  const reserved = Object.keys({ ...fields, ...value });
  return Object.keys(extra)
    .filter((name) => reserved.includes(name))
    .map((name) => ({
      path: `${path}.${shortened(cleanName(name, redact))}`,
      message: `is a documented field: pass it in the ${part} of the call`,
    }));
};

/** Checks that the values of parameters can be written as text. */
const checkValues = (path: 'query' | 'extraQuery', parameters: object, redact: Redact): Issue[] =>
  Object.entries(parameters).flatMap(([name, value]: [string, unknown]) =>
    /^(?:string|boolean|undefined|bigint)$/.test(typeof value) || Number.isFinite(value)
      ? []
      : {
          path: `${path}.${shortened(cleanName(name, redact))}`,
          message: `must be a string, number or boolean, not ${typeof value === 'number' ? value : typeName(value)}${remedyFor(value)}`,
        },
  );

/** Writes a query as text. Parameters that are undefined are left out. */
const toSearch = (query: object): string => {
  let search: URLSearchParams | undefined;
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) {
      search ??= new URLSearchParams();
      search.append(name, String(value));
    }
  }
  return search ? `?${search}` : '';
};

/** A body as the service will parse it, and an issue for each value that JSON loses. */
interface JsonBody {
  readonly data: unknown;
  readonly issues: readonly Issue[];
}

const NO_BODY: JsonBody = { data: undefined, issues: [] };

const toJsonBody = (name: 'body' | 'extraBody', value: unknown, redact: Redact): JsonBody => {
  try {
    const { text, lost } = writeJson(value);
    const issues = lost.map(({ path, what }) => ({
      path: cleanName(pathName(path, name), redact),
      message: `must be JSON data, got ${what}`,
    }));
    return { data: text && JSON.parse(text), issues };
  } catch {
    return { data: undefined, issues: [{ path: name, message: 'cannot be written as JSON' }] };
  }
};

/** Leaves out issues about values that JSON loses: these break the contract for that reason alone. */
const withoutLost = (broken: readonly Issue[], lost: readonly Issue[]): readonly Issue[] =>
  broken.filter(
    ({ path }) =>
      !lost.some((part) => part.path === path || (part.path === 'body' && path.startsWith('body'))),
  );

/**
 * Checks the input of a call against the contract and builds the request.
 *
 * @throws An {@link InvalidRequestError} when the input breaks the contract. It names every problem.
 */
export const buildRequest = (
  operation: CallOperation,
  input: CallInput,
  options: CallOptions | undefined,
  settings: Settings,
): ApiRequest => {
  const { id, method, path } = operation;
  const { redact } = settings.key;
  const label = id === 'request' ? writeLabel(operation, settings) : (operation.label ?? id);
  const { extraQuery, extraBody } = options ?? {};
  const issues: Issue[] = [...(input.issues ?? [])];

  const isQuery = input.query === undefined || isPlainObject(input.query);
  const query = isQuery ? { ...input.query, ...input.page } : {};
  if (!isQuery) {
    issues.push(describeQuery(input.query, operation));
  } else if (id === 'request') {
    issues.push(...checkValues('query', query, redact));
  }
  if (extraQuery !== undefined) {
    issues.push(
      ...checkExtra('extraQuery', query, extraQuery, operation.query?.shape, redact),
      ...checkValues('extraQuery', Object(extraQuery), redact),
    );
  }

  // The serialized values are checked, because `toJSON` may return anything.
  const body = input.body === undefined ? NO_BODY : toJsonBody('body', input.body, redact);
  const broken = checkContract(operation, { ...input, query, body: body.data }, redact);
  const extra = isPlainObject(extraBody)
    ? toJsonBody('extraBody', extraBody, redact)
    : { data: extraBody, issues: [] };
  issues.push(
    ...(body.issues.length > 0 ? withoutLost(broken, body.issues) : broken),
    ...body.issues,
    ...extra.issues,
  );
  if (extra.data !== undefined) {
    issues.push(...checkExtra('extraBody', body.data, extra.data, operation.body?.shape, redact));
  }
  if (issues.length > 0) {
    throw new InvalidRequestError(id, issues, label);
  }
  const sent = extra.data === undefined ? body.data : { ...Object(body.data), ...Object(extra.data) };
  return {
    operation: id,
    label,
    method,
    // Ids are UUIDs, so nothing needs escaping; encoding them anyway keeps this function safe by itself.
    path:
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name]))) +
      toSearch({ ...query, ...extraQuery }),
    body: JSON.stringify(sent),
  };
};
