import * as z from 'zod/mini';
import type { Operation } from '../contract/index.ts';
import * as contract from '../contract/index.ts';
import { operations } from '../contract/index.ts';

type Json = Record<string, unknown>;

const prefix = '#/components/schemas/';
const refTo = (name: string): Json => ({ $ref: prefix + name });
const all: Operation[] = Object.values(operations);

/** `leads.list` → `LeadsListResponse`. */
const responseName = (id: string): string =>
  `${id.replace(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Response`;

/** Every schema that the contract exports goes by its name, without `Schema`; every response by its operation. */
const componentSchemas = (): Record<string, Json> => {
  const registry = z.registry<{ id: string }>();
  for (const [name, value] of Object.entries(contract)) {
    if (value instanceof z.ZodMiniObject && !name.endsWith('QuerySchema')) {
      registry.add(value, { id: name.replace(/Schema$/, '') });
    }
  }
  for (const { id, response } of all) registry.add(response, { id: responseName(id) });

  const { schemas } = z.toJSONSchema(registry, {
    uri: (id) => prefix + id,
    // As input: what is read may hold fields that are added later, and only requests refuse unknown ones.
    io: 'input',
    // The values of an open enum, and the bounds of a length, stand in the global registry.
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, z.globalRegistry.get(zodSchema));
    },
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, schema]),
  );
};

/** An object's schema on its own, for the parameters that it holds. */
const propertiesOf = (schema: z.ZodMiniObject | undefined): Record<string, Json> =>
  schema === undefined
    ? {}
    : ((z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) as Record<string, Json>);

const parametersOf = ({ params, query }: Operation): Json[] => [
  ...Object.entries(propertiesOf(params)).map(([name, schema]) => ({
    name,
    in: 'path',
    required: true,
    schema,
  })),
  ...Object.entries(propertiesOf(query)).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema,
  })),
];

const ERRORS: Readonly<Record<number, string>> = {
  400: 'Invalid parameters',
  401: 'The key is missing (API_KEY_REQUIRED) or invalid (API_KEY_INVALID)',
  403: 'The key lacks the scope that the error text names (SCOPE_REQUIRED)',
  404: 'Resource not found',
  409: 'The resource already exists',
  429: 'Rate limit exceeded (RATE_LIMIT_EXCEEDED)',
};

/** Those that the API lists, and those that any operation of its kind can meet. */
const errorsOf = ({ errors, params, query, body }: Operation): number[] => {
  const any = [401, 403, 429, ...(params ? [404] : []), ...(params || query || body ? [400] : [])];
  return [...new Set([...errors, ...any])].sort();
};

const jsonOf = (schema: Json): Json => ({ 'application/json': { schema } });

const RATE_LIMIT_HEADERS = Object.fromEntries(
  [
    ['X-RateLimit-Limit', 'Requests that the key may make in a minute'],
    ['X-RateLimit-Remaining', 'Requests left'],
    ['Retry-After', 'Seconds to wait'],
  ].map(([name, description]) => [name, { description, schema: { type: 'integer' } }]),
);

const operationObject = (operation: Operation): Json => {
  const { id, summary, status, body, scope } = operation;
  const bodyName = Object.entries(contract).find(([, value]) => value === body)?.[0];
  return {
    operationId: id,
    summary,
    tags: [id.split('.')[0]],
    security: [{ ApiKey: [scope] }, { Bearer: [scope] }],
    parameters: parametersOf(operation),
    ...(bodyName === undefined
      ? {}
      : { requestBody: { required: true, content: jsonOf(refTo(bodyName.replace(/Schema$/, ''))) } }),
    responses: {
      [status]: { description: 'Success', content: jsonOf(refTo(responseName(id))) },
      ...Object.fromEntries(
        errorsOf(operation).map((error) => [
          error,
          {
            description: ERRORS[error],
            ...(error === 429 ? { headers: RATE_LIMIT_HEADERS } : {}),
            content: jsonOf(refTo('ErrorEnvelope')),
          },
        ]),
      ),
    },
  };
};

/** An OpenAPI 3.1 document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>> & { readonly title: string; readonly version: string };
  readonly tags: readonly object[];
  readonly servers: readonly object[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
}

/**
 * Makes the OpenAPI 3.1 document of the API from the contract, and nothing else. `@confab/client/openapi.json` is this,
 * written to a file.
 *
 * @param server Where the API is; a placeholder if left out.
 * @example
 * ```ts
 * const document = buildDocument('https://api.example.com');
 * ```
 */
export const buildDocument = (server?: string): OpenApiDocument => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of all) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Conversation and lead API',
      version: contract.API_VERSION,
      description:
        'Generated from the contract of @confab/client. Scopes, and errors beyond those that the API lists, are assumptions.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      server === undefined
        ? {
            url: '{base_url}',
            description: 'The origin of the service; HTTPS only',
            variables: { base_url: { default: 'https://api.example.com' } },
          }
        : { url: server },
    ],
    tags: [...new Set(all.map(({ id }) => id.split('.')[0]))].map((name) => ({ name })),
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        ApiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        Bearer: { type: 'http', scheme: 'bearer' },
      },
    },
  };
};
