import { ErrorEnvelopeSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { ControlOperation } from './control-operation.ts';
import type { OtherEndpoint } from './other-endpoints.ts';
import { OTHER_ENDPOINTS } from './other-endpoints.ts';
import { CONTROL_PREFIX } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

const jsonSchema = (schema: z.core.$ZodType): Json => {
  // The input side: a date-time is stored in another form than it may be given in, but both are strings.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
};

const content = (schema: Json) => ({ 'application/json': { schema } });

const refused = (description: string): Json => ({
  description,
  content: content({ $ref: '#/components/schemas/Refusal' }),
});

const success = ({ data, meta }: Pick<ControlOperation, 'data' | 'meta'>): Json => ({
  type: 'object',
  required: ['success', 'data', ...(meta === undefined ? [] : ['meta'])],
  properties: {
    success: { const: true },
    data: jsonSchema(data),
    ...(meta === undefined ? {} : { meta: jsonSchema(meta) }),
  },
});

const pathParameters = (path: string): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const queryParameters = (query: z.ZodMiniObject | undefined): readonly Json[] => {
  if (query === undefined) {
    return [];
  }
  const { properties = {} } = jsonSchema(query) as { properties?: Readonly<Record<string, Json>> };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    ...(description === undefined ? {} : { description }),
    schema,
  }));
};

/** The refusals of every operation, by their status. */
const REFUSALS = {
  400: 'A parameter or a field of the body is unknown or invalid.',
  401: 'The admin token is missing or wrong.',
  403: 'A page of another origin made the request, or the control endpoints are closed.',
  404: 'Nothing has the id in the path, or the world was deleted.',
  413: 'The body is larger than 1 MiB.',
} as const;

const nameOf = (status: number | string): string => `Refused${status}`;

/** The refusals of an operation: those of all, those of its own, and a failure of the mock. */
const refusalsOf = (own: Readonly<Record<number, string>> = {}): Json => ({
  ...Object.fromEntries(
    Object.keys(REFUSALS).map((status) => [status, { $ref: `#/components/responses/${nameOf(status)}` }]),
  ),
  ...Object.fromEntries(Object.entries(own).map(([status, why]) => [status, refused(why)])),
  default: { $ref: '#/components/responses/Refused' },
});

const operationObject = (control: ControlOperation): Json => {
  const { id, path, summary, query, body, status, refusals } = control;
  const [tag = ''] = id.split('.');
  return {
    operationId: id,
    summary,
    tags: [tag],
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(jsonSchema(body)) } }),
    responses: {
      [status]: { description: 'The operation succeeded.', content: content(success(control)) },
      ...refusalsOf(refusals),
    },
  };
};

const otherObject = ({ id, summary, description, tag, content: success, open }: OtherEndpoint): Json => ({
  operationId: id,
  summary,
  ...(description === undefined ? {} : { description }),
  tags: [tag],
  parameters: [],
  ...(open ? { security: [] } : {}),
  responses: {
    200: { description: 'The operation succeeded.', content: success },
    ...(open ? { default: { $ref: '#/components/responses/Refused' } } : refusalsOf()),
  },
});

/** The OpenAPI document of the control endpoints, made from their tables alone. */
export const controlDocument = (controls: readonly ControlOperation[], server: string): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const control of controls) {
    const path = CONTROL_PREFIX + control.path;
    paths[path] = { ...paths[path], [control.method.toLowerCase()]: operationObject(control) };
  }
  for (const other of OTHER_ENDPOINTS) {
    paths[CONTROL_PREFIX + other.path] = { [other.method.toLowerCase()]: otherObject(other) };
  }
  const tags = [...controls.map(({ id }) => id.split('.')[0]), ...OTHER_ENDPOINTS.map(({ tag }) => tag)];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Remote control of @confab/mock',
      version: '1.0.0',
      description:
        'Arranges and inspects a running mock of the conversation and lead API: its rows, keys, faults, clock, webhooks and requests.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server, description: 'The mock that this document comes from.' }],
    // On loopback, a mock without an admin token needs none.
    security: [{}, { AdminToken: [] }, { Bearer: [] }],
    tags: [...new Set(tags)].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        AdminToken: { type: 'apiKey', in: 'header', name: 'x-admin-token' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The admin token as a bearer token.' },
      },
      schemas: { Refusal: jsonSchema(ErrorEnvelopeSchema) },
      responses: {
        ...Object.fromEntries(
          Object.entries(REFUSALS).map(([status, why]) => [nameOf(status), refused(why)]),
        ),
        Refused: refused('The operation was refused or failed; `error` says why, and what to do.'),
      },
    },
  };
};
