import { randomBytes } from 'node:crypto';
import { signedRequest } from '@confab/webhooks';
import { createClient } from 'redis';
import { createReceiver, DELIVERY_ID, signature } from './receiver.ts';

const url = process.env.REDIS_URL ?? 'redis://127.0.0.1:6379';
const secret = randomBytes(24).toString('hex');
const clients = await Promise.all(['one', 'two'].map(() => createClient({ url }).connect()));
const receivers = clients.map((client, index) => {
  const receiver = createReceiver(client, secret);
  receiver.on('message.created', ({ data }) => console.log(`receiver ${index + 1} runs: ${data.body}`));
  receiver.onError((error) => console.error(`receiver ${index + 1}: ${error.message}`));
  return receiver;
});

const data = { conversationId: 'c1', channel: 'web', body: 'Hello' };
const id = randomBytes(8).toString('hex');
for (const [index, receiver] of [...receivers, ...receivers].entries()) {
  const request = await signedRequest(
    'https://receiver.test/webhooks',
    { event: 'message.created', data },
    { secret, signature },
  );
  request.headers.set(DELIVERY_ID, id);
  const response = await receiver.fetch(request);
  console.log(`delivery ${index + 1} of ${id}: ${response.status} ${await response.text()}`);
}

for (const client of clients) {
  client.destroy();
}
