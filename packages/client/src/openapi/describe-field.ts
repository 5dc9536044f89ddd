import type { Json } from './json.ts';
import { refTo } from './json.ts';
import { enumSchemas } from './named-schemas.ts';

const enumNames = new Map([...enumSchemas].map(([name, { options }]) => [JSON.stringify(options), name]));

/** A reference to the enum that has these values, so that generators name it once. */
const toReference = (schema: Json): Json => {
  const name = schema.type === 'string' ? enumNames.get(JSON.stringify(schema.enum)) : undefined;
  return name === undefined ? schema : refTo('schemas', name);
};

/** `anyOf` is how zod writes a field that can be null, and how the contract writes an open enum. */
const withoutUnion = ({ anyOf, ...schema }: Json): Json => {
  if (!Array.isArray(anyOf)) {
    return schema;
  }
  const [first, second] = anyOf as [Json, Json];
  if (second.type === 'null' && typeof first.type === 'string') {
    return { ...schema, ...first, type: [first.type, 'null'] };
  }
  const { type: _, ...rest } = schema;
  return { ...rest, anyOf: anyOf.map(toReference) };
};

/** The schema of one field, in the form that generators and people read most easily. */
export const describeField = (json: Json, description: string, example?: unknown): Json => {
  const { pattern, ...schema } = withoutUnion(json);
  return {
    ...schema,
    // The pattern of an id adds nothing to its format.
    ...(pattern === undefined || schema.format === 'uuid' ? {} : { pattern }),
    // Every number that is not an integer is a float in this API.
    ...(schema.type === 'number' ? { format: 'float' } : {}),
    ...(description === '' ? {} : { description }),
    ...(example === undefined ? {} : { examples: [example] }),
  };
};
