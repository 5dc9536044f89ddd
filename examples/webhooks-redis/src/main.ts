import { randomBytes } from 'node:crypto';
import { signedRequest } from '@confab/webhooks';
import { createClient } from 'redis';
import { createReceiver, DELIVERY_ID, signature } from './receiver.ts';
import { redisServerPath, startRedis } from './start-redis.ts';

const url = process.env.REDIS_URL;
const path = redisServerPath();
if (url === undefined && path === undefined) {
  console.error('No Redis. Set REDIS_URL, or install redis-server (on Debian: apt install redis-server).');
  process.exit(2);
}
await using own = url === undefined && path !== undefined ? await startRedis(path) : undefined;

const secret = randomBytes(24).toString('hex');
const clients = await Promise.all(
  ['one', 'two'].map(() => createClient({ url: own?.url ?? url ?? '' }).connect()),
);
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
