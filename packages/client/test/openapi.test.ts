import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import openapi from '../openapi.json' with { type: 'json' };
import { buildDocument } from '../scripts/openapi/build-document.ts';
import type { Operation } from '../src/contract/index.ts';
import { operations } from '../src/contract/index.ts';

type Json = Record<string, unknown>;

const document = openapi as unknown as {
  info: Json;
  servers: { url: string }[];
  tags: Json[];
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
};
const { schemas = {} } = document.components;

/** Follows a reference, if it is one. */
const resolve = (value: Json): Json => {
  if (typeof value.$ref !== 'string') {
    return value;
  }
  return value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (at as Json)[key], document) as Json;
};

const fieldOf = (schema: string, field: string): Json | undefined =>
  (schemas[schema]?.properties as Record<string, Json> | undefined)?.[field];

/** Every object in the document, with where it is. */
const walk = (value: unknown, path: string): [path: string, value: Json][] => {
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return [
    [path, value as Json],
    ...Object.entries(value).flatMap(([key, inner]) => walk(inner, `${path}/${key}`)),
  ];
};

/** Whatever a reader looks up: operations, parameters, responses, schemas, fields, tags. */
const described = walk(document, '#').filter(
  ([path, value]) =>
    /\/(?:tags|servers|parameters|responses|headers|schemas|properties|components\/\w+|paths\/[^/]*|webhooks\/[^/]*)\/[^/]+$/.test(
      path,
    ) &&
    !path.includes('example') &&
    !Array.isArray(value),
);

test.each(described)('openapi.json describes %s', (_, value) => {
  expect(resolve(value).description).toMatch(/^[A-Z].+[.)]$/s);
});

/** Schemas and the values that stand beside them as examples. */
const examples = walk(document, '#').flatMap(
  ([path, value]): [path: string, schema: Json, example: unknown][] => {
    if (path.includes('/example')) {
      return [];
    }
    const { schema, example, examples: named } = value;
    if (schema !== undefined) {
      const values = named ? Object.values(named).map((each) => (each as Json).value) : [example];
      return values.map((each) => [path, schema as Json, each]);
    }
    return Array.isArray(named) ? named.map((each) => [path, value, each]) : [];
  },
);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(document, 'document');

test('in openapi.json, every parameter, header, body and scalar field has an example', () => {
  for (const [path, , example] of examples) {
    expect(example, path).not.toBeUndefined();
  }
  const bare = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as Record<string, Json>)
      .filter(([, field]) => !Array.isArray(field.examples) && resolve(field).type !== 'array')
      .filter(([, field]) => resolve(field).type !== 'object')
      .map(([field]) => `${name}.${field}`),
  );
  expect(bare).toEqual([]);
  expect(examples.length).toBeGreaterThan(100);
});

test.each(examples)('the example of openapi.json fits its schema: %s', (_, schema, example) => {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as Json;
  const validate = ajv.compile(absolute);
  validate(example);
  expect(validate.errors ?? []).toEqual([]);
});

test('in openapi.json, an open enum is a named enum of its known values or any other string', () => {
  expect(fieldOf('Lead', 'status')).toMatchObject({
    anyOf: [{ $ref: '#/components/schemas/LeadStatus' }, { type: 'string' }],
  });
  expect(schemas.LeadStatus).toMatchObject({
    type: 'string',
    enum: ['new', 'active', 'qualified', 'converted', 'lost'],
  });
});

test('openapi.json describes webhook deliveries: the signed request, its schema and its header', () => {
  const post = document.webhooks['message.created']?.post;
  expect(post).toMatchObject({
    security: [],
    parameters: [{ in: 'header', required: true, schema: { type: 'string' } }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/MessageCreatedEvent' } } },
    },
  });
  expect(Object.keys(post?.responses as Json)).toEqual(['401', '2XX', 'default']);
});

test('openapi.json matches the contract', () => {
  const built: unknown = JSON.parse(JSON.stringify(buildDocument()));
  expect(openapi, 'run `pnpm --filter @confab/client run openapi`').toEqual(built);
});

test('an independent validator accepts openapi.json as OpenAPI 3.1, with every reference resolved', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate({ ...structuredClone(openapi) });
  expect(errors ?? []).toEqual([]);
  expect(valid).toBe(true);
  expect(validator.version).toBe('3.1');
  expect(JSON.stringify(validator.resolveRefs())).not.toContain('"$ref"');
});

test('openapi.json has the version of the API, and each operation with its id and its error statuses', () => {
  expect(document.info.version).toBe('1.0.0');
  const all: readonly Operation[] = Object.values(operations);
  expect(Object.values(document.paths).flatMap(Object.keys)).toHaveLength(all.length);
  for (const { id, path, method, errors, status, body } of all) {
    const { operationId, responses } = document.paths[path]![method.toLowerCase()]!;
    expect(operationId).toBe(id);
    const statuses = Object.keys(responses as Json).map(Number);
    expect(statuses).toEqual(expect.arrayContaining([status, 400, 401, 403, 429, ...errors]));
    expect(statuses.includes(413)).toBe(body !== undefined);
  }
});
