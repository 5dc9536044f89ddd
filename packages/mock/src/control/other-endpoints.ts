import type { RouteId } from './routes.ts';
import { routeTo } from './routes.ts';

/** A control endpoint outside the table of operations. */
export interface OtherEndpoint {
  /** Its `operationId` in the OpenAPI document. */
  readonly id: string;
  readonly method: string;
  /** Its path below `/__mock/`. */
  readonly path: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** What a caller needs to know in addition. */
  readonly description?: string;
  /** The group that it is shown in. */
  readonly tag: string;
  /** What its success contains. */
  readonly content: Readonly<Record<string, { readonly schema: object }>>;
  /** Whether it needs no token. */
  readonly open?: true;
}

const endpoint = (id: RouteId, rest: Omit<OtherEndpoint, 'id' | 'method' | 'path'>): OtherEndpoint => ({
  id,
  ...routeTo(id),
  ...rest,
});

const HEALTH = {
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: { const: true },
    data: { type: 'object', required: ['status'], properties: { status: { const: 'ok' } } },
  },
};

const STREAM = { 'text/event-stream': { schema: { type: 'string' } } };

const DOCUMENT = { 'application/json': { schema: { type: 'object' } } };

/** The endpoints outside the table: their responses are streams or documents, or the same for every mock. */
export const OTHER_ENDPOINTS: readonly OtherEndpoint[] = [
  endpoint('health', {
    summary: 'Checks that the server listens. Needs no token.',
    tag: 'health',
    content: { 'application/json': { schema: HEALTH } },
    open: true,
  }),
  endpoint('events', {
    summary: 'Reports requests, deliveries, changed rows and the time as server-sent events.',
    description:
      'The events are `request`, `delivery`, `rows` with { collection, ids, more }, `clock` with { now }, and `restored` after a reset or a restored snapshot. A caller that leaves more than 1 MiB unread is cut off, and the 101st listener of a server is refused with 503.',
    tag: 'events',
    content: STREAM,
  }),
  endpoint('changes', {
    summary: 'Reports which kinds of events have happened, at most five times a second.',
    description:
      'Each server-sent event is `changes` with { kinds }, for example ["request", "rows"]. The first is sent at once; what happens in the next 200 ms is in one event after them. It costs a mock under load far less than `events`.',
    tag: 'events',
    content: STREAM,
  }),
  endpoint('openapi', {
    summary: 'Returns the OpenAPI document of the control endpoints.',
    tag: 'documents',
    content: DOCUMENT,
  }),
  endpoint('api', {
    summary: 'Returns the OpenAPI document of the API, whose examples name existing rows.',
    description:
      'Tools that send the examples get successful responses. `/openapi.json` is the same document with made-up examples, and needs no token.',
    tag: 'documents',
    content: DOCUMENT,
  }),
];
