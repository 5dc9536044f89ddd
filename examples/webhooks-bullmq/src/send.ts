import { randomUUID } from 'node:crypto';
import { signedRequest } from '@confab/webhooks';
import { DELIVERY_ID, readEnvironment, signature } from './options.ts';

/** Sends one delivery per argument, and each of them twice. */
const { secret } = readEnvironment();
const url = process.env.RECEIVER_URL ?? 'http://localhost:3000';
const bodies = process.argv.slice(2);

for (const body of bodies.length > 0 ? bodies : ['Hello', 'fail']) {
  const id = randomUUID();
  const data = { conversationId: 'c1', channel: 'web', body };
  for (const time of ['first', 'second']) {
    const request = await signedRequest(url, { event: 'message.created', data }, { secret, signature });
    request.headers.set(DELIVERY_ID, id);
    const { status } = await fetch(request);
    console.log(`${body}, ${time} delivery: ${status}`);
  }
}
