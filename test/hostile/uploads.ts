import { once } from 'node:events';
import { connect } from 'node:net';

/** Where an upload goes, with the header that its sender identifies itself with. */
export interface Target {
  readonly url: string;
  readonly header?: string;
}

/**
 * Sends the head of a request and the pieces of its body as fast as the server reads them. Returns the status of the
 * response, or 0 if there is none.
 */
const exchange = async (
  { url, header = 'x-nobody: 1' }: Target,
  framing: string,
  pieces: Iterable<Uint8Array | string>,
  hangUp = false,
): Promise<number> => {
  const { host, port, pathname } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  let response = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    response += response.length < 64 ? text : '';
    // One request on each connection. A 100 is not the response.
    if (/^HTTP\/1\.1 [2-5]/.test(response)) {
      socket.destroy();
    }
  });
  // The server may close early.
  socket.on('error', () => {});
  socket.write(
    `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${header}\r\n${framing}\r\n\r\n`,
  );
  for (const piece of pieces) {
    if (socket.destroyed) {
      break;
    }
    if (!socket.write(piece)) {
      await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
    }
  }
  if (hangUp) {
    socket.destroy();
  }
  await closed;
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
};

const repeat = function* (piece: string, times: number) {
  for (let time = 0; time < times; time += 1) {
    yield piece;
  }
};

/** Sends a body in one piece. */
export const upload = (target: Target, body: string): Promise<number> =>
  exchange(target, `content-length: ${Buffer.byteLength(body)}`, [body]);

/** Sends a body in chunks of one byte, each of which is six bytes on the wire. */
export const uploadInBytes = (target: Target, bytes: number): Promise<number> => {
  const byte = '1\r\nx\r\n';
  const pieces = [...repeat(byte.repeat(1_000), Math.floor(bytes / 1_000)), byte.repeat(bytes % 1_000)];
  return exchange(target, 'transfer-encoding: chunked', [...pieces, '0\r\n\r\n']);
};

/** Sends a body of 512 MiB, which the server has to end. */
export const uploadForever = (target: Target): Promise<number> =>
  exchange(target, 'transfer-encoding: chunked', repeat(`10000\r\n${'x'.repeat(65_536)}\r\n`, 8_192));

/** Sends half of a body, and cuts the connection. */
export const uploadAndHangUp = (target: Target, bytes: number): Promise<number> =>
  exchange(target, `content-length: ${bytes}`, ['x'.repeat(bytes / 2)], true);
