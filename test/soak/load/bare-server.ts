/** A server in a process of its own that does nothing but respond: what the machine itself takes for a request. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit());
process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
