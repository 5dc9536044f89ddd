import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { OutgoingHttpHeaders } from 'node:http';
import { request as httpRequest } from 'node:http';
import { createInterface } from 'node:readline';
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
    // Of each of the three bodies, little more than the limit of 1 MiB was read and kept.
    expect(after.read).toBeLessThan(3 * 4 * MIB);
    expect(after.peak - before.peak).toBeLessThan(40 * MIB);
  },
);
