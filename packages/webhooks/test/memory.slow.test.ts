import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MIB = 1_048_576;
const server = fileURLToPath(new URL('./support/memory-server.ts', import.meta.url));

interface Facts {
  readonly port: number;
  readonly peak: number;
  readonly read: number;
}

/** Starts a receiver in its own process. `ask()` returns its measurements. */
const startServer = (framework: string) => {
  const child: ChildProcess = spawn(process.execPath, [server, framework], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  return {
    ask: async () => {
      child.stdin!.write('\n');
      return JSON.parse((await lines.next()).value ?? '') as Facts;
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  };
};

/** Uploads 200 MiB until the receiver closes, and resolves to the status of the response. */
const upload = (port: number, headers: OutgoingHttpHeaders) =>
  new Promise<number | undefined>((resolve) => {
    const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers });
    const chunk = Buffer.alloc(65_536, 'x');
    let left = 200 * MIB;
    const pump = () => {
      while (left > 0 && !request.destroyed) {
        left -= chunk.length;
        if (!request.write(chunk)) {
          return;
        }
      }
      request.end();
    };
    let status: number | undefined;
    request.on('drain', pump);
    request.on('error', () => {});
    request.once('response', (response) => {
      status = response.statusCode;
      request.destroy();
    });
    request.once('close', () => resolve(status));
    pump();
  });

test.each([
  ['node:http', {}],
  ['Fastify', {}],
  ['Fastify', { 'content-length': 200 * MIB }],
])(
  '%s: a body of 200 MB with the headers %j gets a 413, and memory stays flat',
  async (framework, headers) => {
    using receiver = startServer(framework);
    const before = await receiver.ask();
    for (let time = 0; time < 3; time += 1) {
      expect(await upload(before.port, headers)).toBe(413);
    }
    const after = await receiver.ask();
    // The receiver reads and keeps little more than its limit of 1 MiB of each of the three bodies.
    expect(after.read).toBeLessThan(3 * 4 * MIB);
    expect(after.peak - before.peak).toBeLessThan(40 * MIB);
  },
);

/** Sends bytes in chunks of one byte each, and resolves to the status line. */
const trickle = async (port: number, bytes: number) => {
  const socket = connect(port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n');
  const part = Buffer.from('1\r\nx\r\n'.repeat(4096));
  for (let sent = 0; sent < bytes; sent += 4096) {
    if (!socket.write(part)) {
      await once(socket, 'drain');
    }
  }
  socket.write('0\r\n\r\n');
  return (await text(socket)).split('\r\n', 1)[0];
};

test.each(['node:http', 'Fastify', 'webhooks.fetch'])(
  '%s: a body of 1 MB in chunks of one byte needs no more memory than in large chunks',
  { timeout: 300_000 },
  async (framework) => {
    using receiver = startServer(framework);
    const before = await receiver.ask();
    expect(await trickle(before.port, MIB)).toMatch(/ 401 /);
    const after = await receiver.ask();
    // The receiver needs 15 MiB, mostly for the garbage collector. A list of the chunks would need over 420 MiB.
    expect(after.peak - before.peak).toBeLessThan(40 * MIB);
  },
);
