import type { ChildProcess } from 'node:child_process';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { OURS } from './calls.ts';
import { startServer } from './server/start.ts';
import type { Run } from './work.ts';
import { CALLS, CAP, WINDOW } from './work.ts';

/** The number of processes. Each has as many workers as the job of one process. */
export const PROCESSES = 4;

const startRedis = async (): Promise<{ readonly url: string; readonly stop: () => void }> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('Ready to accept connections')) {
      child.stdout.resume();
      return { url: `redis://127.0.0.1:${port}`, stop: () => child.kill() };
    }
  }
  throw new Error('redis-server ended before it was ready. Is it installed?');
};

const startProcess = async (...args: string[]): Promise<ChildProcess> => {
  const child = fork(fileURLToPath(new URL('./fleet-worker.ts', import.meta.url)), args);
  await once(child, 'message');
  return child;
};

const finish = async (child: ChildProcess): Promise<number> => {
  const ended = once(child, 'message');
  child.send('go');
  const [failed] = await ended;
  return failed as number;
};

/** The same calls by four processes that share one limit through one Redis. */
export const runFleet = async (): Promise<Run[]> => {
  const redis = await startRedis();
  const server = await startServer({ rateLimit: { requests: CAP, perMs: WINDOW } });
  const runs: Run[] = [];
  try {
    for (const [name, id] of [
      [`${OURS}, \`redisRateLimit\``, 'ours'],
      ['ky in bottleneck, clustered on Redis', 'bottleneck'],
    ] as const) {
      const before = await server.refused();
      const children = await Promise.all(
        Array.from({ length: PROCESSES }, () => startProcess(id, server.url, redis.url)),
      );
      const start = performance.now();
      const failures = await Promise.all(children.map(finish));
      const ms = performance.now() - start;
      runs.push({
        name,
        failed: failures.reduce((sum, failed) => sum + failed, 0),
        refused: (await server.refused()) - before,
        ms,
        ratio: ms / ((Math.ceil(CALLS / CAP) - 1) * WINDOW),
      });
    }
  } finally {
    await server.close();
    redis.stop();
  }
  return runs;
};
