import {
  DELIVERY_RULES,
  DELIVERY_TYPE,
  eventList,
  RECEIVER_RESPONSES,
  SIGNATURE_HEADER,
} from './deliveries.ts';
import type { Examples } from './examples.ts';
import type { Json } from './json.ts';
import { refTo } from './json.ts';

const { pattern, ...header } = SIGNATURE_HEADER;
const signatureHeader: Json = {
  in: 'header',
  required: true,
  schema: { type: 'string', pattern },
  ...header,
};

const responses = Object.fromEntries(
  RECEIVER_RESPONSES.map(({ status, description }) => [status, { description }]),
);

/** The requests that the service sends to a URL of the user's choice. */
export const webhooksOf = (examples: Examples): Record<string, { post: Json }> =>
  Object.fromEntries(
    eventList.map(([schema, { name, operationId, summary, description }]) => [
      name,
      {
        post: {
          operationId,
          summary,
          description: `${description} ${DELIVERY_RULES}`,
          tags: ['webhooks'],
          security: [],
          parameters: [signatureHeader],
          requestBody: {
            description: 'The event.',
            required: true,
            content: { [DELIVERY_TYPE]: { schema: refTo('schemas', schema), example: examples[schema] } },
          },
          responses,
        },
      },
    ]),
  );
