import type { Operation } from '@confab/client/contract';
import { describeIssues } from '@confab/client/contract';
import * as z from 'zod/mini';
import { invalid, notFound } from '../errors/refusal.ts';
import type { CompleteBehavior } from '../world/complete-behavior.ts';
import type { Store } from '../world/store/store.ts';
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
 * Only a decimal integer becomes a number: `Number()` would also accept `1e2`, `0x1F` and ` 5 `. Any other text stays
 * as it is, and the check of the input then names it.
 */
export const readQuery = (search: string, schema: z.ZodMiniObject | undefined): RawQuery => {
  if (search === '') {
    return { values: {}, repeated: [] };
  }
  const values: Record<string, unknown> = Object.create(null);
  const repeated = new Set<string>();
  // URLSearchParams drops a leading question mark, which here belongs to a name.
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

/** The parts of a request after the check, as the contract defines them. */
export interface CheckedInput {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/** What is wrong with a part of a request. */
export interface InputProblem {
  /** Where it is: `body.phone`. */
  readonly path: string;
  /** What it must be, and what it is. */
  readonly message: string;
}

type Show = (received: unknown) => string;

/** A part of a request, or what is wrong with it. */
interface CheckedPart {
  readonly value?: unknown;
  readonly problems: readonly InputProblem[];
}

const NO_PARAMETERS = z.strictObject({});

const checkPart = (
  part: string,
  schema: z.ZodMiniObject | undefined,
  value: unknown,
  show?: Show,
): CheckedPart => {
  const result = schema?.safeParse(value);
  return result?.success === false
    ? { problems: describeIssues(result.error, value, part, show) }
    : { value: result?.data, problems: [] };
};

/**
 * Compares a request with the contract, and finds every problem.
 *
 * @param show Describes a received value in messages; shortened values by default.
 */
export const inspectInput = (
  operation: Operation,
  raw: RawInput,
  show?: Show,
): { readonly input: CheckedInput; readonly problems: readonly InputProblem[] } => {
  const params = checkPart('params', operation.params, raw.params, show);
  const repeated = raw.query.repeated.map((name) => ({
    path: `query.${name}`,
    message: 'must be given once, not several times',
  }));
  const query = checkPart('query', operation.query ?? NO_PARAMETERS, raw.query.values, show);
  const { value, problem } = operation.body === undefined ? {} : readJson(raw.body);
  const body: CheckedPart =
    problem === undefined
      ? checkPart('body', operation.body, value, show)
      : { problems: [{ path: 'body', message: problem }] };
  return {
    input: { params: params.value, query: query.value, body: body.value },
    problems: [...params.problems, ...repeated, ...query.problems, ...body.problems],
  };
};

const boundsOf = (schema: z.core.$ZodType): { minimum?: number; maximum?: number } =>
  z.toJSONSchema(schema) as { minimum?: number; maximum?: number };

/** Leaves out and changes what a behavior tolerates. */
const tolerated = (
  { query, body }: Operation,
  raw: RawInput,
  { unknownQuery, unknownBody, outOfRange }: CompleteBehavior['input'],
): RawInput => {
  if (unknownQuery === 'refused' && unknownBody === 'refused' && outOfRange === 'refused') {
    return raw;
  }
  const shape: Readonly<Record<string, z.core.$ZodType>> = query?.shape ?? {};
  const isKept = (name: string) => unknownQuery === 'refused' || Object.hasOwn(shape, name);
  const values = Object.entries(raw.query.values).flatMap(([name, value]) => {
    const field = shape[name];
    if (outOfRange === 'refused' || field === undefined || typeof value !== 'number') {
      return isKept(name) ? [[name, value]] : [];
    }
    const { minimum = -Infinity, maximum = Infinity } = boundsOf(field);
    return [[name, Math.min(Math.max(value, minimum), maximum)]];
  });
  const sent = unknownBody === 'ignored' && body !== undefined ? readJson(raw.body).value : undefined;
  const isObject = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return {
    params: raw.params,
    query: { values: Object.fromEntries(values), repeated: raw.query.repeated.filter(isKept) },
    body: isObject
      ? JSON.stringify(
          Object.fromEntries(Object.entries(sent).filter(([name]) => Object.hasOwn(body?.shape ?? {}, name))),
        )
      : raw.body,
  };
};

/**
 * Checks a request against the contract.
 *
 * @throws {@link Refusal} 400, when the input is invalid, with every problem.
 */
export const checkInput = (
  operation: Operation,
  raw: RawInput,
  behavior: CompleteBehavior['input'],
): CheckedInput => {
  const { input, problems } = inspectInput(operation, tolerated(operation, raw, behavior));
  if (problems.length > 0) {
    throw invalid(problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  }
  return input;
};

/** @throws {@link Refusal} 404, when the id in the path belongs to no row. */
export const checkRow = (store: Store, { id, params }: Route): void => {
  const collection = id.split('.', 1)[0] as 'leads' | 'conversations' | 'agents';
  if (params.id !== undefined && store[collection].get(params.id) === undefined) {
    throw notFound(`No ${collection.slice(0, -1)} has the id ${params.id}`);
  }
};
