import type { ServerResponse } from 'node:http';
import type { NetworkError, ServiceResponse } from '../request/envelope.ts';
import { errorResponse, isBodiless, NETWORK_ERROR } from '../request/envelope.ts';

/** Sends a response that goes on until the caller goes away. */
export type Stream = (outgoing: ServerResponse) => void;

/** Sends a body in pieces until it ends or breaks off, or the caller goes away. */
const sendPieces = async (
  outgoing: ServerResponse,
  pieces: NonNullable<ServiceResponse['pieces']>,
): Promise<void> => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  // A connection that is closed already does not emit `close` again.
  if (outgoing.destroyed) {
    gone.abort();
  }
  try {
    for await (const piece of pieces(gone.signal)) {
      await new Promise<unknown>((resolve) => outgoing.write(piece, resolve));
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
};

/** Sends a response, or breaks the connection for a network error. */
export const send = (outgoing: ServerResponse, response: ServiceResponse | NetworkError | Stream): void => {
  if (response === NETWORK_ERROR) {
    outgoing.destroy();
    return;
  }
  if (typeof response === 'function') {
    response(outgoing);
    return;
  }
  const { status, body, pieces } = response;
  // The server frames the body itself: a fault whose headers contradict it would break the next response on the connection.
  const { 'content-length': _, 'transfer-encoding': __, trailer: ___, ...headers } = response.headers;
  if (isBodiless(status)) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const length = Buffer.byteLength(body);
  if (pieces === undefined || outgoing.req.method === 'HEAD') {
    // As text, because Node sends bytes separately from the headers. After a HEAD, Node sends no body.
    outgoing.writeHead(status, { ...headers, 'content-length': length }).end(body);
    return;
  }
  // The announced length exceeds what is sent, so the caller notices that the body is cut off, even an empty one.
  outgoing.writeHead(status, { ...headers, 'content-length': length || 1 });
  outgoing.flushHeaders();
  void sendPieces(outgoing, pieces);
};

/** Responds to a request that failed, unless its response has begun or its caller is gone. */
export const sendFailure = (outgoing: ServerResponse, error: unknown): void => {
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
  } else {
    send(outgoing, errorResponse(error));
  }
};
