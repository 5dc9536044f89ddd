import { ErrorEnvelopeSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { ControlOperation } from './operation.ts';
import { CONTROL_PREFIX } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

/** The data of an operation that returns nothing. */
const NOTHING = z.strictObject({});

const jsonSchema = (schema: z.core.$ZodType): Json => {
  // The input side: a date-time is stored in another form than it may be given in, but both are strings.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
};

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } });

const refused = (description: string): Json => ({
  description,
  content: jsonContent({ $ref: '#/components/schemas/Refusal' }),
});

const successContent = ({ data = NOTHING, meta, content }: ControlOperation): Json => {
  if (content !== undefined) {
    return { [content]: { schema: { type: content === 'application/json' ? 'object' : 'string' } } };
  }
  const properties = {
    success: { const: true },
    data: jsonSchema(data),
    ...(meta && { meta: jsonSchema(meta) }),
  };
  return jsonContent({ type: 'object', required: Object.keys(properties), properties });
};

const pathParameters = (path: string): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

const queryParameters = (query: z.ZodMiniObject | undefined): readonly Json[] =>
  Object.entries(query?.shape ?? {}).map(([name, field]) => {
    const { description, ...schema } = jsonSchema(field);
    return { name, in: 'query', required: false, description, schema };
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

const refusalsOf = (reasons: Readonly<Record<string, string>>): Json =>
  Object.fromEntries(Object.entries(reasons).map(([status, why]) => [status, refused(why)]));

const sharedRefusals = Object.fromEntries(
  Object.keys(REFUSALS).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
);

/** An operation in the document, which JSON leaves `undefined` out of. */
const operationObject = (control: ControlOperation): Json => {
  const { id, path, summary, description, query, body, status = 200, refusals = {}, open } = control;
  return {
    operationId: id,
    summary,
    description,
    tags: [id.split('.')[0]],
    parameters: [...pathParameters(path), ...queryParameters(query)],
    requestBody: body && { required: true, content: jsonContent(jsonSchema(body)) },
    security: open ? [] : undefined,
    responses: {
      [status]: { description: 'The operation succeeded.', content: successContent(control) },
      ...(open ? { default: sharedRefusals.default } : sharedRefusals),
      ...refusalsOf(refusals),
    },
  };
};

/** The OpenAPI document of the control endpoints, made from their table alone. */
export const openapi = (controls: readonly ControlOperation[], server: string): Json => {
  const paths: Record<string, Json> = {};
  for (const control of controls) {
    const path = CONTROL_PREFIX + control.path;
    paths[path] = { ...paths[path], [control.method.toLowerCase()]: operationObject(control) };
  }
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
    tags: [...new Set(controls.map(({ id }) => id.split('.')[0]))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        AdminToken: { type: 'apiKey', in: 'header', name: 'x-admin-token' },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The admin token as a bearer token.' },
      },
      schemas: { Refusal: jsonSchema(ErrorEnvelopeSchema) },
      responses: refusalsOf(REFUSALS),
    },
  };
};
