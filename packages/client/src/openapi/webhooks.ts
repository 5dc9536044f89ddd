import type { Examples } from './examples.ts';
import type { Json } from './json.ts';
import { refTo } from './json.ts';

/**
 * The header that carries the signature. The API does not publish its name; this is the one that `@confab/mock` sends.
 */
const signatureHeader: Json = {
  name: 'X-Webhook-Signature',
  in: 'header',
  description:
    'The HMAC-SHA256 of the raw body, keyed with the secret of the webhook, in hexadecimal. Verify it before you parse the body. The API does not publish the name of this header; this is the one that @confab/mock sends.',
  required: true,
  schema: { type: 'string' },
  // Of the example body in compact JSON, with the secret that the description of the webhook names.
  example: '0291dfd051ad52b80dc6419da5c000724bc1d7a8e6e0eefd2ebfabb32d6c7997',
};

/** The requests that the service sends to a URL of the user's choice. */
export const webhooksOf = (examples: Examples): Record<string, { post: Json }> => ({
  'message.created': {
    post: {
      operationId: 'webhooks.messageCreated',
      summary: 'A message was created',
      description:
        'The service sends this to your URL for each new message, and repeats it with an increasing delay until your server responds with a 2xx status. The same event may arrive more than once. The example is signed with the secret `example-signing-secret`. Changes of status and new conversations are delivered in the same way; the API does not publish their names.',
      tags: ['webhooks'],
      security: [],
      parameters: [signatureHeader],
      requestBody: {
        description: 'The event.',
        required: true,
        content: {
          'application/json': {
            schema: refTo('schemas', 'MessageCreatedEvent'),
            example: examples.MessageCreatedEvent,
          },
        },
      },
      responses: {
        '204': { description: 'Your server has accepted the event. Any 2xx status means that.' },
        '401': { description: 'The signature does not match. The service delivers the event again.' },
      },
    },
  },
});
