/** What node:http itself costs: a server that counts the bytes of a body, and does nothing else with them. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { becomeSubject } from '../subject.ts';

const MOST_BYTES = 1_048_576;

const server = createServer((request, response) => {
  let bytes = 0;
  request.on('data', (piece: Uint8Array) => {
    bytes += piece.byteLength;
  });
  request.on('end', () => {
    response.writeHead(bytes > MOST_BYTES ? 413 : 401).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  becomeSubject((server.address() as AddressInfo).port, async () => 'nothing to do');
});
