import * as z from 'zod/mini';
import type { Operation } from '../../src/contract/index.ts';
import * as contract from '../../src/contract/index.ts';
import { examples } from './examples.ts';
import frame from './frame.json' with { type: 'json' };
import { readOperationDoc, readTypeDoc } from './read-docs.ts';

interface Json {
  readonly description?: string;
  readonly [name: string]: unknown;
}

interface ObjectJson extends Json {
  readonly properties?: Readonly<Record<string, Json>>;
}

interface Parameter extends Json {
  readonly name: string;
  readonly in: 'path' | 'query';
}

const operations: readonly Operation[] = Object.values(contract.operations);

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The objects and enums of the contract, by name: `Lead` for `LeadSchema`. */
const named = new Map(
  Object.entries(contract).flatMap(([name, schema]): [string, z.core.$ZodType][] =>
    schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniEnum
      ? [[name.replace(/Schema$/, ''), schema]]
      : [],
  ),
);

const nameOf = (schema: unknown): string => [...named].find(([, known]) => known === schema)?.[0] ?? '';

/** The name of a success body, `LeadList` for a list and `LeadEnvelope` for one value, and an example of it. */
const envelopeOf = ({ response, query }: Operation) => {
  const { data } = response.shape;
  if (!(data instanceof z.ZodMiniArray)) {
    const name = nameOf(data);
    return { name: `${name}Envelope`, example: { success: true, data: examples[name] } };
  }
  const name = nameOf(data.def.element);
  const meta = query && { meta: examples.PaginationMeta };
  return { name: `${name}List`, example: { success: true, data: [examples[name]], ...meta } };
};

const envelopeDoc = (name: string) => ({
  description: `The body of a response that carries ${name.endsWith('List') ? 'a list' : 'one value'}.`,
  fields: {
    success: 'Always `true` for a success.',
    data: 'The requested data.',
    meta: 'The position of the page in its list.',
  } as Readonly<Record<string, string>>,
});

/** A field that can be null, and an id, in the form that generators read most easily. */
const plain = (field: Json): Json => {
  const [value, orNull] = (field.anyOf ?? []) as Json[];
  if (orNull?.type === 'null') {
    return { ...plain({ ...value }), type: [value?.type, 'null'] };
  }
  // Every number that is not an integer is a float in this API.
  return field.type === 'number' ? { ...field, format: 'float' } : field;
};

/** Names the enum of the known values, where the contract accepts any other string, too. */
const openEnum = (schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void => {
  const known = z.globalRegistry.get(schema)?.examples;
  const [name] = [...named].find(([, each]) => each instanceof z.ZodMiniEnum && each.options === known) ?? [];
  if (name !== undefined) {
    delete json.type;
    delete json.examples;
    json.anyOf = [schemaRef(name), { type: 'string' }];
  }
};

/** Every schema of the document and every query, by name. They refer to each other by name. */
const buildSchemas = (): Map<string, ObjectJson> => {
  const registry = z.registry<{ id: string }>();
  const envelopes = operations.map((operation) => [envelopeOf(operation).name, operation.response] as const);
  for (const [id, schema] of new Map([...named, ...envelopes])) {
    registry.add(schema, { id });
  }
  // As input: responses may contain fields that are added later. Only requests reject unknown fields.
  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => schemaRef(id).$ref,
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => openEnum(zodSchema, jsonSchema),
  });

  const describe = (name: string, { $schema, $id, properties, ...schema }: z.core.JSONSchema.BaseSchema) => {
    const { description, fields } = readTypeDoc(name) ?? envelopeDoc(name);
    const values: Readonly<Record<string, unknown>> = { success: true, ...examples[name] };
    const described = Object.entries(properties ?? {}).map(([field, json]) => {
      const example = values[field];
      // The fields of a nested object or list have their own examples.
      const hasExample = field in values && (typeof example !== 'object' || example === null);
      return [
        field,
        { ...plain(json as Json), description: fields[field], ...(hasExample && { examples: [example] }) },
      ];
    });
    return { ...schema, ...(properties && { properties: Object.fromEntries(described) }), description };
  };
  return new Map(Object.entries(schemas).map(([name, schema]) => [name, describe(name, schema)]));
};

/** The parameters of an operation. Those in the path have the name of their resource: `LeadId`. */
const parametersOf = ({ id, params, query }: Operation, schemas: ReadonlyMap<string, ObjectJson>) => {
  const subject = capitalized(id.replace(/s\..*/, ''));
  const inPath: [string, Parameter][] = Object.keys(params?.shape ?? {}).map((name) => [
    subject + capitalized(name),
    {
      name,
      in: 'path',
      description: `The ${name} of the ${subject.toLowerCase()}.`,
      required: true,
      schema: { type: 'string', format: 'uuid' },
      example: Reflect.get(examples[subject] ?? {}, name),
    },
  ]);
  const fields = Object.entries(schemas.get(nameOf(query))?.properties ?? {});
  const inQuery: [string, Parameter][] = fields.map(
    ([name, { description, examples: values, ...schema }]) => {
      if (values === undefined) {
        throw new Error(
          `The query parameter ${name} has no example: add one to scripts/openapi/examples.ts.`,
        );
      }
      return [
        capitalized(name),
        {
          name,
          in: 'query',
          ...(description && { description }),
          required: false,
          schema,
          example: (values as readonly unknown[])[0],
        },
      ];
    },
  );
  return [...inPath, ...inQuery];
};

const ERRORS: Readonly<Record<number, keyof typeof frame.components.responses>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
};

/** The errors that the API lists for an operation, and those that follow from its input. */
const errorsOf = ({ errors, params, body }: Operation) => {
  // Any operation can return a 400, for an unknown query parameter.
  const statuses = new Set([...errors, 400, 401, 403, 429, ...(params ? [404] : []), ...(body ? [413] : [])]);
  return Object.fromEntries(
    [...statuses].map((status) => [status, { $ref: `#/components/responses/${ERRORS[status]}` }]),
  );
};

const contentOf = (name: string, example: unknown) => ({
  'application/json': { schema: schemaRef(name), example },
});

const requestBodyOf = ({ body }: Operation) => {
  const name = nameOf(body);
  const description = readTypeDoc(name)?.description;
  return body && { requestBody: { description, required: true, content: contentOf(name, examples[name]) } };
};

/** Builds the OpenAPI 3.1 document from the contract, around the parts that the contract knows nothing about. */
export const buildDocument = () => {
  const schemas = buildSchemas();
  const parameters = new Map(operations.map((operation) => [operation, parametersOf(operation, schemas)]));
  const texts = [...parameters.values()].flat().map((parameter) => JSON.stringify(parameter));
  const isShared = (parameter: [string, Parameter]): boolean => {
    const text = JSON.stringify(parameter);
    return parameter[1].in === 'path' || texts.indexOf(text) !== texts.lastIndexOf(text);
  };

  const paths: Record<string, Json> = {};
  for (const [operation, own] of parameters) {
    const { id, path, method, scope, status } = operation;
    const { summary, description, returns } = readOperationDoc(id);
    const { name, example } = envelopeOf(operation);
    const documented = {
      operationId: id,
      summary,
      description: `${description}\n\nThe key needs the scope \`${scope}\`.`,
      tags: [id.replace(/\..*/, '')],
      security: [{ ApiKey: [scope] }, { Bearer: [scope] }],
      parameters: own.map((each) =>
        isShared(each) ? { $ref: `#/components/parameters/${each[0]}` } : each[1],
      ),
      ...requestBodyOf(operation),
      responses: {
        [status]: { description: returns, content: contentOf(name, example) },
        ...errorsOf(operation),
      },
    };
    paths[path] = { ...paths[path], [method.toLowerCase()]: documented };
  }
  // A query is described by its parameters.
  const bodies = [...schemas].filter(([name]) => !name.endsWith('Query'));
  return {
    ...frame,
    paths,
    components: {
      ...frame.components,
      schemas: { ...Object.fromEntries(bodies), ...frame.components.schemas },
      parameters: Object.fromEntries([...parameters.values()].flat().filter(isShared)),
    },
  };
};
