import type { ServerResponse } from 'node:http';
import type { NetworkError, ServiceResponse } from '../http/service-response.ts';
import { isBodiless, NETWORK_ERROR } from '../http/service-response.ts';

/** Writes an answer to a socket, or breaks the connection as it says. */
export const send = (outgoing: ServerResponse, answer: ServiceResponse | NetworkError): void => {
  if (answer === NETWORK_ERROR) {
    outgoing.destroy();
    return;
  }
  const { status, body, ending } = answer;
  // How a body is framed has to fit what is sent: a fault that contradicts it would break the connection after this one.
  const { 'content-length': _, 'transfer-encoding': __, trailer: ___, ...headers } = answer.headers;
  if (isBodiless(status)) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.from(body);
  if (outgoing.req.method === 'HEAD') {
    outgoing.writeHead(status, { ...headers, 'content-length': bytes.length }).end();
    return;
  }
  if (ending === 'complete') {
    outgoing.writeHead(status, { ...headers, 'content-length': bytes.length }).end(bytes);
    return;
  }
  // More than what comes, also of an empty body.
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length || 1 });
  outgoing.flushHeaders();
  outgoing.write(bytes.subarray(0, bytes.length >>> 1), () => {
    if (ending === 'broken') {
      outgoing.destroy();
    }
    // Of a caller who has gone nobody would tell when it ends.
    else if (!outgoing.destroyed) {
      outgoing.once(
        'close',
        ending.begin(() => outgoing.destroy()),
      );
    }
  });
};
