import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createEmulator } from 'emulate';
import { mock } from './page.ts';

/** Finds a free port. With port 0, the emulator would not report its port. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const customers = mock.leads
  .find()
  .map(({ displayName, email, phone }) => ({ name: displayName, email, description: phone }));
const { url } = await createEmulator({
  service: 'stripe',
  port: await freePort(),
  seed: { stripe: { customers } },
});
console.log(url);
