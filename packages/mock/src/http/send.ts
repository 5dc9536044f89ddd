import type { ServerResponse } from 'node:http';
import type { NetworkError, ServiceResponse } from '../request/envelope.ts';
import { errorResponse, isBodiless, NETWORK_ERROR } from '../request/envelope.ts';

/** Sends a response that goes on until the caller goes away. */
export type Stream = (outgoing: ServerResponse) => void;

/** Sends a body in pieces, until it ends, breaks off, or nobody reads it any more. */
const sendPieces = async (
  outgoing: ServerResponse,
  pieces: NonNullable<ServiceResponse['pieces']>,
): Promise<void> => {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  // A closed connection emits no further `close`.
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

/** Writes a response to a socket, or breaks the connection as the response demands. */
export const send = (outgoing: ServerResponse, answer: ServiceResponse | NetworkError | Stream): void => {
  if (answer === NETWORK_ERROR) {
    outgoing.destroy();
    return;
  }
  if (typeof answer === 'function') {
    answer(outgoing);
    return;
  }
  const { status, body, pieces } = answer;
  // The framing must match the body: a fault that contradicts it would break the next response on this connection.
  const { 'content-length': _, 'transfer-encoding': __, trailer: ___, ...headers } = answer.headers;
  if (isBodiless(status)) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const length = Buffer.byteLength(body);
  if (pieces === undefined || outgoing.req.method === 'HEAD') {
    // Node sends a text in one piece with the headers, and bytes in a second one. After a HEAD, it sends no body.
    outgoing.writeHead(status, { ...headers, 'content-length': length }).end(body);
    return;
  }
  // The announced length exceeds what is sent, so the caller notices that the body is cut off, even an empty one.
  outgoing.writeHead(status, { ...headers, 'content-length': length || 1 });
  outgoing.flushHeaders();
  void sendPieces(outgoing, pieces);
};

/** Responds to a request that failed, unless its caller is gone. */
export const sendFailure = (outgoing: ServerResponse, error: unknown): void => {
  // Usually the caller has gone, perhaps in the middle of its body, and nothing can be sent.
  if (outgoing.headersSent || outgoing.destroyed) {
    outgoing.destroy();
  } else {
    send(outgoing, errorResponse(error));
  }
};
