import type { ServerResponse } from 'node:http';
import { type Answer, NETWORK_ERROR, type NetworkError } from '../request/call.ts';

/** Writes an answer to a socket, or breaks the connection as it says. */
export const send = (outgoing: ServerResponse, answer: Answer | NetworkError): void => {
  if (answer === NETWORK_ERROR) {
    outgoing.destroy();
    return;
  }
  const { status, headers, body, ending } = answer;
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (ending === 'whole') outgoing.end(bytes);
  // Half of what the headers promise.
  else outgoing.write(bytes.subarray(0, bytes.length >>> 1), () => ending === 'broken' && outgoing.destroy());
};
