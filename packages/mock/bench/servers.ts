import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Timing } from '../../../scripts/bench/measure.ts';
import { measure } from '../../../scripts/bench/measure.ts';
import { startPace } from '../inspector/src/live/pace.ts';
import { loadLatest } from '../inspector/src/views/load-latest.ts';

export const PLAIN = 'plain node:http, same JSON';
export const OURS = 'serve()';
export const WATCHED = 'serve(), inspector open';

/** The servers, each of which runs in a process of its own. */
const SERVERS: readonly { name: string; script: string; path: string }[] = [
  { name: PLAIN, script: 'plain.ts', path: '/api/v2/public/leads' },
  { name: OURS, script: 'ours.ts', path: '/api/v2/public/leads' },
  { name: WATCHED, script: 'ours.ts', path: '/api/v2/public/leads' },
  { name: 'emulate 0.8, Stripe customers', script: 'emulate.ts', path: '/v1/customers?limit=25' },
  { name: 'json-server 0.17', script: 'json-server.ts', path: '/leads?_limit=25' },
  { name: 'Prism 5.16, static example', script: 'prism.ts', path: '/api/v2/public/leads' },
];

/** Starts a server, which prints its URL once it listens. */
const start = async (script: string): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawn(process.execPath, [new URL(`servers/${script}`, import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [chunk] = await once(child.stdout, 'data');
  return { child, url: String(chunk).trim() };
};

let sent = 0;

/** emulate refuses the 5,001st request with a token, whatever the token is. The other servers ignore the token. */
const nextHeaders = () => {
  sent += 1;
  return { 'x-api-key': 'confab_live_bench', authorization: `Bearer sk_test_${Math.trunc(sent / 5_000)}` };
};

const get = (url: string, agent: Agent): Promise<number> =>
  new Promise((resolve, reject) => {
    const outgoing = request(url, { agent, headers: nextHeaders() }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${url} returned ${response.statusCode}`)),
      );
    });
    outgoing.on('error', reject);
    outgoing.end();
  });

/**
 * Acts like a tab that shows the requests: follows the events, and loads the latest requests and the time at the pace of
 * the inspector.
 */
const watch = async (url: string, signal: AbortSignal): Promise<void> => {
  const open = (path: string) =>
    fetch(`${url}/__mock/${path}`, { headers: { 'x-confab-inspector': '1' }, signal });
  const read = async (path: string) => (await open(path)).json();
  const load = async (): Promise<void> => {
    const requests = loadLatest(({ limit, offset }) => read(`requests?limit=${limit}&offset=${offset}`));
    await Promise.all([requests, read('clock')]);
  };
  const { body } = await open('events');
  let failure: unknown;
  const pace = startPace({
    load: () =>
      load().catch((error: unknown) => {
        failure ??= error;
      }),
    isVisible: () => true,
    signal,
  });
  for await (const _ of body ?? []) {
    pace.changed();
  }
  throw failure ?? new Error('The events ended early');
};

/** Reads a page of 25 leads over keep-alive connections, from each server in turn. */
export const compareServers = async (): Promise<Timing[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const running = await Promise.all(
    SERVERS.map(async ({ name, script, path }) => ({ name, path, ...(await start(script)) })),
  );
  const watching = new AbortController();
  const watched = running.find(({ name }) => name === WATCHED)?.url ?? '';
  const ended = watch(watched, watching.signal).catch((error: unknown) => {
    if (!watching.signal.aborted) {
      throw error;
    }
  });
  try {
    return await measure(
      running.map(({ name, url, path }) => ({ name, run: () => get(url + path, agent) })),
      { rounds: 15, runs: 1_600, warmUp: 10, concurrency: 16 },
    );
  } finally {
    watching.abort();
    await ended;
    agent.destroy();
    for (const { child } of running) {
      child.kill();
    }
  }
};
