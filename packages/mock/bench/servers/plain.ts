import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { page } from './page.ts';

const value: unknown = JSON.parse(page);

// The server stringifies the value for each request, as a real server would.
const server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
