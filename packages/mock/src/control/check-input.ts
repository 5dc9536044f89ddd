import { closestName, unknownNames } from '@confab/internal';
import * as z from 'zod/mini';
import { jsonProblems } from '../errors/check.ts';
import { invalid } from '../errors/refusal.ts';
import { isInteger, readQuery } from '../request/input.ts';
import { readJson } from '../request/json.ts';
import type { ControlOperation } from './operation.ts';

type Values = Readonly<Record<string, unknown>>;

const NO_FIELDS: z.ZodMiniObject = z.strictObject({});

/** The names of the fields that the object at a path may have. */
const namesAt = (schema: z.core.$ZodType | undefined, path: readonly PropertyKey[]): readonly string[] => {
  if (schema instanceof z.ZodMiniOptional) {
    return namesAt(schema.def.innerType, path);
  }
  if (schema instanceof z.ZodMiniArray) {
    return namesAt(schema.def.element, path.slice(1));
  }
  const { shape } = schema instanceof z.ZodMiniObject ? schema : NO_FIELDS;
  return path.length === 0 ? Object.keys(shape) : namesAt(shape[String(path[0])], path.slice(1));
};

/** Suggests a name for the first unknown field, in a sentence of its own. */
const didYouMean = (schema: z.core.$ZodType, { issues }: z.core.$ZodError): string => {
  const issue = issues.find((each) => each.code === 'unrecognized_keys');
  const meant = issue && closestName(issue.keys[0] ?? '', namesAt(schema, issue.path));
  return meant === undefined ? '' : `. Did you mean ${meant}?`;
};

/**
 * Checks a part of a request.
 *
 * @param part What messages call it: `body`.
 * @throws {@link Refusal} 400, when it is invalid, with every problem.
 */
const checkPart = (schema: z.ZodMiniObject, value: unknown, part: string): Values => {
  const result = schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  throw invalid(jsonProblems(result.error, value, part) + didYouMean(schema, result.error));
};

/** @throws {@link Refusal} 400, when a parameter is unknown, repeated or invalid. */
export const checkControlQuery = (
  { query: schema = NO_FIELDS }: ControlOperation,
  search: string,
): Values => {
  const { values, repeated } = readQuery(search, schema);
  const [twice] = repeated;
  const noNumber = Object.entries(values).find(
    ([name, value]) => typeof value === 'string' && isInteger(schema.shape[name]),
  );
  const problem =
    unknownNames('query parameter', values, Object.keys(schema.shape)) ??
    (twice && `query.${twice} must be given once, not several times`) ??
    (noNumber && `query.${noNumber[0]} must be a whole number, got ${JSON.stringify(noNumber[1])}`);
  if (problem !== undefined) {
    throw invalid(problem);
  }
  return checkPart(schema, values, 'query');
};

/** @throws {@link Refusal} 400, when the body is invalid, or one was sent where nothing reads it. */
export const checkControlBody = (
  { method, path, body: schema }: ControlOperation,
  text: string,
): Values | undefined => {
  // Tools send nothing or an empty object where they have nothing to say.
  const { value, problem } = readJson(text.trim() === '' ? '{}' : text);
  if (schema === undefined) {
    if (method === 'GET' || JSON.stringify(value) === '{}') {
      return undefined;
    }
    throw invalid(`${method} /__mock/${path} must be called without a body`);
  }
  if (problem !== undefined) {
    throw invalid(`body ${problem}`);
  }
  return checkPart(schema, value, 'body');
};
