import * as z from 'zod/mini';
import type { Operation } from '../contract/index.ts';
import { describeField } from './describe-field.ts';
import type { Examples } from './examples.ts';
import type { Json } from './json.ts';
import { capitalized, refTo } from './json.ts';
import { nameOf } from './named-schemas.ts';

interface Parameter extends Json {
  readonly name: string;
  readonly in: 'path' | 'query';
}

/** The schema that the `id` in the paths of each resource identifies. */
const SUBJECTS = { agents: 'Agent', conversations: 'Conversation', leads: 'Lead' } as const;

const subjectOf = ({ id }: Operation): (typeof SUBJECTS)[keyof typeof SUBJECTS] => {
  const [resource = ''] = id.split('.');
  if (resource in SUBJECTS) {
    return SUBJECTS[resource as keyof typeof SUBJECTS];
  }
  throw new TypeError(
    `No subject for the id in the path of ${id}. Add its resource to SUBJECTS in src/openapi/parameters.ts.`,
  );
};

const parameter = (
  name: string,
  place: Parameter['in'],
  { description, examples, ...schema }: Json,
): Parameter => ({
  name,
  in: place,
  description,
  required: place === 'path',
  schema,
  example: (examples as unknown[] | undefined)?.[0],
});

const pathParameters = (operation: Operation, examples: Examples): Parameter[] => {
  if (operation.params === undefined) {
    return [];
  }
  const subject = subjectOf(operation);
  const { properties = {} } = z.toJSONSchema(operation.params, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) =>
    parameter(
      name,
      'path',
      describeField(schema as Json, `The id of the ${subject.toLowerCase()}.`, examples[subject].id),
    ),
  );
};

const queryParameters = ({ query }: Operation, schemas: ReadonlyMap<string, Json>): Parameter[] => {
  const { properties = {} } = schemas.get(nameOf(query) ?? '') ?? {};
  return Object.entries(properties as Record<string, Json>).map(([name, schema]) =>
    parameter(name, 'query', schema),
  );
};

/** The parameters of each operation, and the shared ones. */
export interface Parameters {
  readonly shared: Readonly<Record<string, Json>>;
  /** The parameters of an operation, with references to components. */
  readonly of: (operation: Operation) => readonly Json[];
  /** The parameters of an operation, without references. */
  readonly inlineOf: (operation: Operation) => readonly Json[];
}

/** Collects the parameters of all operations. Path parameters and parameters that operations share become components. */
export const collectParameters = (
  operations: readonly Operation[],
  schemas: ReadonlyMap<string, Json>,
  examples: Examples,
): Parameters => {
  const all = new Map(
    operations.map((operation) => [
      operation,
      [...pathParameters(operation, examples), ...queryParameters(operation, schemas)],
    ]),
  );
  const texts = [...all.values()].flat().map((each) => JSON.stringify(each));
  const isShared = (each: Parameter) => {
    const text = JSON.stringify(each);
    return each.in === 'path' || texts.indexOf(text) !== texts.lastIndexOf(text);
  };
  const nameFor = (operation: Operation, { name, in: place }: Parameter) =>
    (place === 'path' ? subjectOf(operation) : '') + capitalized(name);

  return {
    shared: Object.fromEntries(
      [...all].flatMap(([operation, parameters]) =>
        parameters.filter(isShared).map((each) => [nameFor(operation, each), each]),
      ),
    ),
    of: (operation) =>
      (all.get(operation) ?? []).map((each) =>
        isShared(each) ? refTo('parameters', nameFor(operation, each)) : each,
      ),
    inlineOf: (operation) => all.get(operation) ?? [],
  };
};
