import { API_INFO, LICENSE_ID } from './api-info.ts';
import { namedSchemas } from './component-schemas.ts';
import {
  DELIVERY_RULES,
  DELIVERY_TYPE,
  eventList,
  RECEIVER_RESPONSES,
  SIGNATURE_HEADER,
} from './deliveries.ts';
import type { Examples } from './examples.ts';
import { examplesOf } from './examples.ts';
import type { Json } from './json.ts';
import { refTo } from './json.ts';
import { tagDescriptions } from './operation-descriptions.ts';

/** An AsyncAPI 3.0 document. */
export interface AsyncApiDocument {
  /** The version of AsyncAPI: `3.0.0`. */
  readonly asyncapi: string;
  /** The URN of the document. */
  readonly id: string;
  /** The title, version and description of the events. */
  readonly info: Readonly<Record<string, unknown>> & {
    /** The title of the API. */
    readonly title: string;
    /** The version of the API. */
    readonly version: string;
  };
  /** The media type of all deliveries: `application/json`. */
  readonly defaultContentType: string;
  /** The URL that you choose, and the responses of your server. */
  readonly channels: Readonly<Record<string, object>>;
  /** One operation per event. */
  readonly operations: Readonly<Record<string, object>>;
  /** Messages and schemas, by kind and then by name. */
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

const BINDING = { bindingVersion: '0.3.0' };

const ref = (...path: readonly string[]): { $ref: string } => ({ $ref: `#/${path.join('/')}` });

const headersSchema: Json = {
  type: 'object',
  required: [SIGNATURE_HEADER.name],
  properties: {
    [SIGNATURE_HEADER.name]: {
      type: 'string',
      description: SIGNATURE_HEADER.description,
      pattern: SIGNATURE_HEADER.pattern,
      examples: [SIGNATURE_HEADER.example],
    },
  },
};

const messagesOf = (examples: Examples): [id: string, message: Json][] =>
  eventList.map(([schema, { name, summary, description }]) => [
    schema,
    {
      name,
      title: name,
      summary,
      description: `${description} ${DELIVERY_RULES}`,
      contentType: DELIVERY_TYPE,
      headers: headersSchema,
      payload: refTo('schemas', schema),
      examples: [
        {
          name,
          summary,
          headers: { [SIGNATURE_HEADER.name]: SIGNATURE_HEADER.example },
          payload: examples[schema],
        },
      ],
    },
  ]);

const responses = RECEIVER_RESPONSES.map(({ name, status, description }): [id: string, message: Json] => [
  name,
  {
    name,
    title: status === 'default' ? 'Any other status' : status,
    description,
    // A binding has one status, not a class of them.
    ...(/^\d+$/.test(status) ? { bindings: { http: { statusCode: Number(status), ...BINDING } } } : {}),
  },
]);

/** The schemas that a schema refers to, and the schema itself. */
const withReferences = (name: string, all: ReadonlyMap<string, Json>): string[] => {
  const schema = all.get(name);
  const references = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return [name, ...[...references].flatMap(([, other = '']) => withReferences(other, all))];
};

const schemasOf = (examples: Examples): Record<string, Json> => {
  const all = namedSchemas([], examples);
  const used = new Set(eventList.flatMap(([schema]) => withReferences(schema, all)));
  return Object.fromEntries([...all].filter(([name]) => used.has(name)));
};

const asReferences = (names: readonly string[], path: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, ref(...path, name)]));

/**
 * Makes the AsyncAPI 3.0 document of the webhooks from the same schemas as the OpenAPI document.
 * `@confab/client/asyncapi.json` is this, written to a file.
 *
 * @example
 * ```ts
 * const { operations } = buildAsyncApiDocument();
 * ```
 */
export const buildAsyncApiDocument = (): AsyncApiDocument => {
  const examples = examplesOf({});
  const messages = messagesOf(examples);
  const messageNames = messages.map(([id]) => id);
  const responseNames = responses.map(([name]) => name);
  return {
    asyncapi: '3.0.0',
    id: 'urn:confab:webhooks',
    info: {
      ...API_INFO,
      description: tagDescriptions.webhooks,
      license: { name: LICENSE_ID, url: `https://opensource.org/license/${LICENSE_ID.toLowerCase()}` },
      tags: [{ name: 'webhooks', description: tagDescriptions.webhooks }],
    },
    defaultContentType: DELIVERY_TYPE,
    channels: {
      webhook: {
        // You choose it.
        address: null,
        title: 'Your URL',
        description: 'The URL that you registered. The API does not publish how to register one.',
        messages: asReferences(messageNames, ['components', 'messages']),
      },
      response: {
        address: null,
        title: 'The response of your server',
        description: 'The response to the POST request of a delivery.',
        messages: asReferences(responseNames, ['components', 'messages']),
      },
    },
    operations: Object.fromEntries(
      eventList.map(([schema, { operationId, summary, description }]) => [
        operationId,
        {
          action: 'send',
          title: summary,
          summary,
          description,
          channel: ref('channels', 'webhook'),
          bindings: { http: { method: 'POST', ...BINDING } },
          messages: [ref('channels', 'webhook', 'messages', schema)],
          reply: {
            channel: ref('channels', 'response'),
            messages: responseNames.map((name) => ref('channels', 'response', 'messages', name)),
          },
        },
      ]),
    ),
    components: {
      messages: Object.fromEntries([...messages, ...responses]),
      schemas: schemasOf(examples),
    },
  };
};
