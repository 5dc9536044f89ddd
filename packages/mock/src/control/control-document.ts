import { ErrorEnvelopeSchema } from '@confab/client/contract';
import * as z from 'zod/mini';
import type { ControlOperation } from './control-operation.ts';
import { CONTROL_PREFIX, routeTo } from './routes.ts';

type Json = Readonly<Record<string, unknown>>;

const jsonSchema = (schema: z.core.$ZodType): Json => {
  // The input side: a date-time is stored in another form than it may be given in, but both are strings.
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return json;
};

const content = (schema: Json) => ({ 'application/json': { schema } });

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

/** Outside the table, because their responses have no end. */
const STREAMS = {
  events: {
    summary: 'Reports requests, deliveries, changed rows and the time as server-sent events.',
    description:
      'The events are `request`, `delivery`, `rows` with { collection, ids, more }, `clock` with { now }, and `restored` after a reset or a restored snapshot. A caller that leaves more than 1 MiB unread is cut off, and the 101st listener of a server is refused with 503.',
  },
  changes: {
    summary: 'Reports which kinds of events have happened, at most five times a second.',
    description:
      'Each server-sent event is `changes` with { kinds }, for example ["request", "rows"]. The first is sent at once; what happens in the next 200 ms is in one event after them. It costs a mock under load far less than `events`.',
  },
} as const;

const streamObject = (id: keyof typeof STREAMS): Json => ({
  operationId: id,
  ...STREAMS[id],
  tags: ['events'],
  parameters: [],
  responses: {
    200: {
      description: 'The events from now on.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    default: REFUSED,
  },
});

const REFUSED = { $ref: '#/components/responses/Refused' };

const operationObject = (control: ControlOperation): Json => {
  const { id, path, summary, query, body, status } = control;
  const [tag = ''] = id.split('.');
  return {
    operationId: id,
    summary,
    tags: [tag],
    parameters: [...pathParameters(path), ...queryParameters(query)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(jsonSchema(body)) } }),
    responses: {
      [status]: { description: 'The operation succeeded.', content: content(success(control)) },
      default: REFUSED,
    },
  };
};

/** The OpenAPI document of the control endpoints, made from their table alone. */
export const controlDocument = (controls: readonly ControlOperation[], server: string): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const control of controls) {
    const path = CONTROL_PREFIX + control.path;
    paths[path] = { ...paths[path], [control.method.toLowerCase()]: operationObject(control) };
  }
  for (const id of ['events', 'changes'] as const) {
    paths[CONTROL_PREFIX + routeTo(id).path] = { get: streamObject(id) };
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
      responses: {
        Refused: {
          description: 'The operation was refused; `error` says why, and what to do.',
          content: content(jsonSchema(ErrorEnvelopeSchema)),
        },
      },
    },
  };
};
