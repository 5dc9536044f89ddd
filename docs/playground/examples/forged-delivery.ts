import { createWebhooks, signedRequest } from '@confab/webhooks';

const signature = { header: 'x-webhook-signature' };
const webhooks = createWebhooks({ secret: 'whsec_0123456789', signature });
webhooks.on('message.created', ({ data }) => console.log(`Received: ${data.body}`));
webhooks.onError((error) => console.log(`Refused: ${error.code}`));

const url = 'https://receiver.test/webhooks';
const event = {
  event: 'message.created',
  data: { conversationId: '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11', channel: 'live_chat', body: 'Hello' },
};

const genuine = await signedRequest(url, event, { secret: 'whsec_0123456789', signature });
console.log((await webhooks.fetch(genuine)).status);

// Signed with a secret that the receiver does not know.
const forged = await signedRequest(url, event, { secret: 'whsec_of_an_attacker', signature });
console.log((await webhooks.fetch(forged)).status);

// A genuine signature, but the body was changed on the way.
const { headers } = await signedRequest(url, event, { secret: 'whsec_0123456789', signature });
const body = JSON.stringify(event).replace('Hello', 'Send money');
console.log((await webhooks.fetch(new Request(url, { method: 'POST', headers, body }))).status);
//=> Received: Hello
//=> 200
//=> Refused: SIGNATURE_MISMATCH
//=> 401
//=> Refused: SIGNATURE_MISMATCH
//=> 401
