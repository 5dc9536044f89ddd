import type { ServerResponse } from 'node:http';
import { type Answer, NETWORK_ERROR, type NetworkError } from '../request/call.ts';

/** Writes an answer to a socket, or breaks the connection as it says. */
export const send = (outgoing: ServerResponse, answer: Answer | NetworkError): void => {
  if (answer === NETWORK_ERROR) {
    outgoing.destroy();
    return;
  }
  const { status, headers, body, truncated } = answer;
  const bytes = Buffer.from(body);
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  // Half of what the headers promise.
  if (truncated) outgoing.write(bytes.subarray(0, bytes.length >>> 1), () => outgoing.destroy());
  else outgoing.end(bytes);
};
