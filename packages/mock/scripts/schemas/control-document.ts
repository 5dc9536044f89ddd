import { ErrorEnvelopeSchema } from '@confab/client/contract';
import type ts from 'typescript';
import * as z from 'zod/mini';
import type { Endpoint } from '../../src/control/endpoints.ts';
import { ENDPOINTS } from '../../src/control/endpoints.ts';
import { CONTROL_PREFIX } from '../../src/control/routes.ts';
import { RESOURCES } from '../../src/world/resources/resources.ts';
import { checker, descriptionOf, docOf, tagsOf, typeNamed } from './read-types.ts';
import type { Json } from './to-schema.ts';
import { createSchemas } from './to-schema.ts';

const { schemas, toSchema } = createSchemas('#/components/schemas');

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } });

const refused = (description: string): Json => ({
  description,
  content: jsonContent({ $ref: '#/components/schemas/Refusal' }),
});

/** The refusals that operations share, by their status. */
const REFUSALS = {
  400: 'A parameter or a field of the body is unknown or invalid.',
  401: 'The admin token is missing or wrong.',
  403: 'A page of another origin made the request, or the control endpoints are closed.',
  404: 'Nothing has the id in the path, or the world was deleted.',
  413: 'The body is larger than 1 MiB.',
  default: 'The operation was refused or failed; `error` says why, and what to do.',
};

const SHARED = Object.fromEntries(
  Object.keys(REFUSALS).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
);

const partOf = (type: ts.Type, name: string): ts.Type | undefined => {
  const property = type.getProperty(name);
  return property && checker.getTypeOfSymbol(property);
};

/** An operation in the table, with the types of its query, its body and its response. */
const rowOf = ({ id, collection }: Endpoint) => {
  const table = typeNamed(collection === undefined ? 'ControlOperations' : 'CollectionOperations');
  const operations = collection === undefined ? table : partOf(table, collection);
  const symbol = operations?.getProperty(id);
  if (symbol === undefined) {
    throw new Error(`The table of operations has no ${id}.`);
  }
  const type = checker.getTypeOfSymbol(symbol);
  return { symbol, part: (name: string) => partOf(type, name) };
};

type Part = ReturnType<typeof rowOf>['part'];

const successContent = (part: Part): Json => {
  if (part('stream') !== undefined) {
    return { 'text/event-stream': { schema: { type: 'string' } } };
  }
  if (part('document') !== undefined) {
    return jsonContent({ type: 'object' });
  }
  const [data, meta] = [part('data'), part('meta')];
  const properties = {
    success: { const: true },
    data: data === undefined ? { type: 'object', additionalProperties: false } : toSchema(data),
    ...(meta && { meta: toSchema(meta) }),
  };
  return jsonContent({ type: 'object', required: Object.keys(properties), properties });
};

const pathParameters = (path: string): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const queryParameters = (query: ts.Type | undefined): Json[] =>
  (query?.getApparentProperties() ?? []).map((property) => ({
    name: property.name,
    in: 'query',
    required: false,
    description: descriptionOf(property),
    schema: toSchema(checker.getTypeOfSymbol(property), property.name),
  }));

const operationObject = (endpoint: Endpoint): Json => {
  const { id, collection = '', operationId, path, status = 200 } = endpoint;
  const { symbol, part } = rowOf(endpoint);
  const [summary = '', description] = docOf(symbol);
  const noun = endpoint.collection === undefined ? '' : RESOURCES[endpoint.collection].noun;
  const body = part('body');
  const own = tagsOf(symbol, 'throws').flatMap((text) =>
    [...text.matchAll(/^A `Refusal` (\d{3}), when (.*)/g)].map(([, code, why]) => [
      code,
      refused(`When ${why}`),
    ]),
  );
  return {
    operationId,
    summary: summary.replace('{collection}', collection).replace('{noun}', noun),
    description,
    tags: [operationId.split('.')[0]],
    parameters: [...pathParameters(path), ...queryParameters(part('query'))],
    requestBody: body && { required: true, content: jsonContent(toSchema(body)) },
    security: id === 'health' ? [] : undefined,
    responses: {
      [status]: { description: 'The operation succeeded.', content: successContent(part) },
      ...(id === 'health' ? { default: SHARED.default } : SHARED),
      ...Object.fromEntries(own),
    },
  };
};

/** The tag of a group of operations; for a kind of row, with the noun and the columns that the inspector shows. */
const tagOf = (name: string): Json => {
  const resource = Object.values(RESOURCES).find((each) => each.name === name);
  return { name, ...(resource && { 'x-noun': resource.noun, 'x-columns': resource.columns }) };
};

/** Builds the OpenAPI 3.1 document of the control endpoints from the table of operations. */
export const buildControlDocument = (): Json => {
  const paths: Record<string, Json> = {};
  for (const endpoint of ENDPOINTS) {
    const path = CONTROL_PREFIX + endpoint.path;
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationObject(endpoint) };
  }
  const { $schema: _, ...refusal } = z.toJSONSchema(ErrorEnvelopeSchema, { io: 'input' });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Remote control of @confab/mock',
      version: '1.0.0',
      description:
        'Arranges and inspects a running mock of the conversation and lead API: its rows, keys, faults, clock, webhooks and requests.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://127.0.0.1:4010', description: 'A mock on this machine.' }],
    // On loopback, a mock without an admin token needs none.
    security: [{}, { AdminToken: [] }, { Bearer: [] }],
    tags: [...new Set(ENDPOINTS.map(({ operationId }) => operationId.split('.')[0] ?? ''))].map(tagOf),
    paths,
    components: {
      securitySchemes: {
        AdminToken: { type: 'apiKey', in: 'header', name: 'x-admin-token' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The admin token as a bearer token.' },
      },
      schemas: { Refusal: refusal, ...schemas },
      responses: Object.fromEntries(
        Object.entries(REFUSALS).map(([status, description]) => [status, refused(description)]),
      ),
    },
  };
};
