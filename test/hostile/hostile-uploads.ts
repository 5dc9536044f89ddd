import { once } from 'node:events';
import { connect } from 'node:net';

/** Where an upload goes, and the lines of its head besides the ones that frame it. */
export interface Target {
  readonly port: number;
  readonly path: string;
  readonly headers?: readonly string[];
}

const head = ({ path, headers = [] }: Target, ...framing: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    ...headers,
    ...framing,
    '',
    '',
  ].join('\r\n');

/** Sends the pieces as fast as the other side takes them; gives the status of the answer, 0 for none. */
const exchange = async (
  port: number,
  pieces: Iterable<Uint8Array | string>,
  hangUp = false,
): Promise<number> => {
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  let answer = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    if (answer.length < 64) {
      answer += text;
    }
    // One request a connection: what was asked is answered.
    if (/^HTTP\/1\.1 [2-5]/.test(answer)) {
      socket.destroy();
    }
  });
  // A side that closes early is allowed to.
  socket.on('error', () => {});
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
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
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
};

const repeat = function* (piece: Uint8Array | string, times: number) {
  for (let time = 0; time < times; time += 1) {
    yield piece;
  }
};

/** A whole body in one piece. */
export const upload = (target: Target, body: string | Uint8Array): Promise<number> =>
  exchange(target.port, [head(target, `content-length: ${Buffer.byteLength(body)}`), body]);

/** A body in chunks of one byte each, six bytes on the wire. */
export const uploadInBytes = (target: Target, bytes: number): Promise<number> => {
  const thousand = '1\r\nx\r\n'.repeat(1_000);
  return exchange(target.port, [
    head(target, 'transfer-encoding: chunked'),
    ...repeat(thousand, Math.floor(bytes / 1_000)),
    ...repeat('1\r\nx\r\n', bytes % 1_000),
    '0\r\n\r\n',
  ]);
};

/** A body that never ends; the other side has to. */
export const uploadForever = (target: Target): Promise<number> =>
  exchange(
    target.port,
    (function* () {
      yield head(target, 'transfer-encoding: chunked');
      yield* repeat(`10000\r\n${'x'.repeat(65_536)}\r\n`, 8_192);
    })(),
  );

/** A body of which a part is sent before the connection is cut. */
export const uploadAndHangUp = (target: Target, bytes: number): Promise<number> =>
  exchange(target.port, [head(target, `content-length: ${bytes * 2}`), Buffer.alloc(bytes, 'x')], true);
