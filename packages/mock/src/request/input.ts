import type { Issue, Operation } from '@confab/client/contract';
import { describeIssues } from '@confab/client/contract';
import * as z from 'zod/mini';
import { invalid, orNotFound } from '../errors/refusal.ts';
import type { CompleteBehavior } from '../world/behavior.ts';
import { RESOURCE_NAMES } from '../world/resources/names.ts';
import { RESOURCES } from '../world/resources/resources.ts';
import type { Store } from '../world/store/store.ts';
import type { MockRow } from '../world/store/table.ts';
import { readJson } from './json.ts';
import type { Route } from './route.ts';

/** A query before any check. */
export interface RawQuery {
  readonly values: Readonly<Record<string, unknown>>;
  /** Names that occurred more than once. */
  readonly repeated: readonly string[];
}

const inner = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodMiniOptional ? schema.def.innerType : schema;

/** Whether a parameter is a whole number. */
const isInteger = (schema: z.core.$ZodType | undefined): boolean =>
  schema !== undefined && inner(schema) instanceof z.ZodMiniNumber;

/**
 * Reads a query string, without its question mark, into the types of its schema.
 *
 * Only decimal integers become numbers: `Number()` would also accept `1e2`, `0x1F` and ` 5 `. Any other text stays a
 * string, which the check of the input refuses.
 */
export const readQuery = (search: string, schema: z.ZodMiniObject | undefined): RawQuery => {
  if (search === '') {
    return { values: {}, repeated: [] };
  }
  const values: Record<string, unknown> = Object.create(null);
  const repeated = new Set<string>();
  // URLSearchParams drops one leading question mark; a second one belongs to a name.
  for (const [name, value] of new URLSearchParams(`?${search}`)) {
    if (name in values) {
      repeated.add(name);
    }
    values[name] = isInteger(schema?.shape[name]) && /^-?\d+$/.test(value) ? Number(value) : value;
  }
  return { values: { ...values }, repeated: [...repeated] };
};

/** The parts of a request before the check. */
export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: RawQuery;
  readonly body: string;
}

const NO_PARAMETERS = z.strictObject({});

/** The schemas of an operation. */
type Schemas = { readonly [Part in 'params' | 'query' | 'body']?: Operation[Part] | undefined };

/**
 * Compares a request with the contract, and finds every problem.
 *
 * @param show Formats a received value in messages. By default, values are shortened.
 * @returns The parsed parts of the request, and their problems.
 */
export const inspectInput = (
  { params, query = NO_PARAMETERS, body }: Schemas,
  raw: RawInput,
  show?: (received: unknown) => string,
): { readonly input: object; readonly problems: readonly Issue[] } => {
  const problems: Issue[] = raw.query.repeated
    .filter((name) => Object.hasOwn(query.shape, name))
    .map((name) => ({ path: `query.${name}`, message: 'must be given once, not several times' }));
  const check = (part: string, schema: z.ZodMiniObject | undefined, value: unknown): unknown => {
    const result = schema?.safeParse(value);
    if (result?.success === false) {
      problems.push(...describeIssues(result.error, value, part, show));
    }
    return result?.data;
  };
  const input = {
    params: check('params', params, raw.params),
    query: check('query', query, raw.query.values),
  };
  if (body === undefined) {
    return { input, problems };
  }
  const { value, problem } = readJson(raw.body);
  return problem === undefined
    ? { input: { ...input, body: check('body', body, value) }, problems }
    : { input, problems: [...problems, { path: 'body', message: problem }] };
};

/** Moves numbers to the bounds of their schemas. */
const clamp = ({ values, repeated }: RawQuery, { shape }: z.ZodMiniObject): RawQuery => {
  const moved = Object.entries(values).map(([name, value]) => {
    const schema = shape[name];
    if (typeof value !== 'number' || schema === undefined) {
      return [name, value];
    }
    const { minimum = -Infinity, maximum = Infinity } = z.toJSONSchema(schema);
    return [name, Math.min(Math.max(value, minimum), maximum)];
  });
  return { values: Object.fromEntries(moved), repeated };
};

/**
 * Checks a request against the contract.
 *
 * @throws A {@link Refusal} 400, when the input is invalid. The message lists every problem.
 */
export const checkInput = (
  { params, query = NO_PARAMETERS, body }: Operation,
  raw: RawInput,
  { unknownQuery, unknownBody, outOfRange }: CompleteBehavior['input'],
): object => {
  // The contract refuses unknown fields; `z.object` drops them.
  const schemas = {
    params,
    query: unknownQuery === 'ignored' ? z.object(query.shape) : query,
    body: unknownBody === 'ignored' && body ? z.object(body.shape) : body,
  };
  const sent = outOfRange === 'clamped' ? { ...raw, query: clamp(raw.query, query) } : raw;
  const { input, problems } = inspectInput(schemas, sent);
  if (problems.length > 0) {
    throw invalid(problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  }
  return input;
};

/**
 * Returns the row whose id is in the path, if there is an id.
 *
 * @throws A {@link Refusal} 404, when no row has it.
 */
export const findRow = (store: Store, { id, params }: Route): MockRow | undefined => {
  if (params.id === undefined) {
    return undefined;
  }
  const kind = RESOURCE_NAMES.find((name) => id.startsWith(`${name}.`));
  return kind && orNotFound(store[kind].get(params.id), `No ${RESOURCES[kind].noun} has the id ${params.id}`);
};
