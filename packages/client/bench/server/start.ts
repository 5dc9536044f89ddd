import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Contender, Effort, Timing } from '../../../../scripts/bench/measure.ts';
import { measure } from '../../../../scripts/bench/measure.ts';

export interface ServerOptions {
  /** Rows of every list. */
  readonly total?: number;
  /** Milliseconds before each answer. */
  readonly delayMs?: number;
  /** Most requests of a key in a sliding window. */
  readonly rateLimit?: { readonly requests: number; readonly perMs: number };
}

export interface BenchServer {
  readonly url: string;
  /** Requests answered 429 so far. */
  refused(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the server in a thread of its own, so that its work is not counted as the clients'. */
export const startServer = async (options: ServerOptions = {}): Promise<BenchServer> => {
  const worker = new Worker(new URL('./main.ts', import.meta.url), { workerData: options });
  const [port] = await once(worker, 'message');
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    refused: async () => (await (await fetch(`${url}/refused`)).json()) as number,
    close: async () => {
      await worker.terminate();
    },
  };
};

/** Measures contenders that send their requests to one server. */
export const measureAt = async (
  options: ServerOptions,
  contenders: (server: BenchServer) => Contender[],
  effort: Effort,
): Promise<Timing[]> => {
  const server = await startServer(options);
  try {
    return await measure(contenders(server), effort);
  } finally {
    await server.close();
  }
};
