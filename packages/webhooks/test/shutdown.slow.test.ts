import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';

const server = fileURLToPath(new URL('./support/memory-server.ts', import.meta.url));

test.each(['node:http', 'Fastify'])(
  '%s: a graceful shutdown finishes while a sender keeps the connection of an oversized upload open',
  async (framework) => {
    const child = spawn(process.execPath, [server, framework], { stdio: ['pipe', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    child.stdin.end('\n');
    const { port } = JSON.parse((await lines.next()).value ?? '');
    const sender = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).on('error', () => {});
    onTestFinished(() => void sender.destroy());
    sender.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1200000\r\n\r\n');
    sender.write('x'.repeat(1_100_000));
    const [response] = await once(sender, 'data');
    expect(String(response)).toMatch(/^HTTP\/1\.1 413 /);
    child.kill('SIGTERM');
    expect([(await lines.next()).value, await once(child, 'exit')]).toEqual(['closed', [0, null]]);
  },
);
