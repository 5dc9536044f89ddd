import { spawn } from 'node:child_process';
import { request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MIB = 1_048_576;
const server = fileURLToPath(new URL('./memory-server.ts', import.meta.url));

/** Offers 200 MiB until the receiver closes; gives the status of its answer. */
const upload = (port: number, headers: OutgoingHttpHeaders) =>
  new Promise<number | undefined>((resolve) => {
    const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers });
    const chunk = Buffer.alloc(65_536, 'x');
    let left = 200 * MIB;
    const pump = () => {
      while (left > 0 && !request.destroyed) {
        left -= chunk.length;
        if (!request.write(chunk)) return;
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

test.each<[framework: string, length: string, OutgoingHttpHeaders]>([
  ['node:http', 'of unknown length', {}],
  ['node:http', 'that announces its length', { 'content-length': String(200 * MIB) }],
  ['Fastify', 'of unknown length', {}],
  ['Fastify', 'that announces its length', { 'content-length': String(200 * MIB) }],
])('%s: a body of 200 MB %s is answered 413, and memory stays flat', async (framework, _, headers) => {
  const child = spawn(process.execPath, [server, framework], { stdio: ['pipe', 'pipe', 'inherit'] });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async () => {
      child.stdin.write('\n');
      return JSON.parse((await lines.next()).value ?? '') as { port: number; peak: number; read: number };
    };
    const before = await ask();
    for (let time = 0; time < 3; time += 1) {
      expect(await upload(before.port, headers)).toBe(413);
    }
    const after = await ask();
    // Three bodies of 200 MiB: what was read and kept is near the limit of 1 MiB each.
    expect(after.read).toBeLessThan(3 * 4 * MIB);
    expect(after.peak - before.peak).toBeLessThan(40 * MIB);
  } finally {
    child.kill();
  }
});
