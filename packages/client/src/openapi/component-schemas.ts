import * as z from 'zod/mini';
import type { Operation } from '../contract/index.ts';
import { describeField } from './describe-field.ts';
import { enumDescriptions, objectDescriptions } from './descriptions.ts';
import type { Examples } from './examples.ts';
import type { Json } from './json.ts';
import { capitalized, refTo } from './json.ts';
import { enumSchemas, nameOf, objectSchemas } from './named-schemas.ts';

/** The schema of the data in a success, and whether the data is a list. */
const payloadOf = ({ response }: Operation): { schema: unknown; isList: boolean } => {
  const { data } = response.shape;
  return data instanceof z.ZodMiniArray
    ? { schema: data.def.element, isList: true }
    : { schema: data, isList: false };
};

/** The name of a success body's schema: `LeadList` for a list, `LeadEnvelope` for one value. */
export const envelopeName = (operation: Operation): string => {
  const { schema, isList } = payloadOf(operation);
  const name = nameOf(schema);
  // If the contract does not export the schema, the operation provides the best name.
  const noun = name ?? operation.id.split('.').map(capitalized).join('');
  return `${noun}${isList ? 'List' : 'Envelope'}`;
};

/** The body of a success, as an example. */
export const envelopeExample = (operation: Operation, examples: Examples): Json => {
  const { schema, isList } = payloadOf(operation);
  const name = nameOf(schema);
  const data = name && examples[name];
  if (!isList) {
    return { success: true, data };
  }
  const isPaged = operation.query !== undefined && 'limit' in operation.query.shape;
  return { success: true, data: [data], ...(isPaged ? { meta: examples.PaginationMeta } : {}) };
};

const ENVELOPE_FIELDS: Readonly<Record<string, string>> = {
  success: 'Always `true` for a success.',
  data: 'The requested data.',
  meta: 'The position of the page in its list.',
};

interface Words {
  readonly description: string;
  readonly fields: Readonly<Record<string, string>>;
}

const wordsFor = (name: string): Words => {
  const known: Readonly<Record<string, Words>> = objectDescriptions;
  const isList = name.endsWith('List');
  return (
    known[name] ?? {
      description: `The body of a response that carries ${isList ? 'a list' : 'one value'}.`,
      fields: ENVELOPE_FIELDS,
    }
  );
};

const described = (name: string, schema: Json, examples: Readonly<Record<string, object>>): Json => {
  const { description, fields } = wordsFor(name);
  const values: Readonly<Record<string, unknown>> = { success: true, ...examples[name] };
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>).map(
    ([field, json]) => {
      const value = values[field];
      // The fields of a nested object or list have their own examples.
      const example = typeof value === 'object' && value !== null ? undefined : value;
      return [field, describeField(json, fields[field] ?? '', example)];
    },
  );
  return { ...schema, description, properties: Object.fromEntries(properties) };
};

/** Turns the contract's schemas into JSON Schemas that refer to each other by name. */
const jsonSchemas = (operations: readonly Operation[]): Map<string, Json> => {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of [...objectSchemas, ...enumSchemas]) {
    registry.add(schema, { id });
  }
  const envelopes = new Map(operations.map((operation) => [envelopeName(operation), operation.response]));
  for (const [id, schema] of envelopes) {
    registry.add(schema, { id });
  }

  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => refTo('schemas', id).$ref,
    // As input: responses may contain fields that are added later. Only requests reject unknown fields.
    io: 'input',
  });
  return new Map(Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]));
};

/** Every schema of the document and every query, by name. */
export const namedSchemas = (
  operations: readonly Operation[],
  examples: Examples,
): ReadonlyMap<string, Json> => {
  const enums: Readonly<Record<string, string>> = enumDescriptions;
  return new Map(
    [...jsonSchemas(operations)].map(([name, schema]) => [
      name,
      name in enums ? { ...schema, description: enums[name] } : described(name, schema, examples),
    ]),
  );
};
