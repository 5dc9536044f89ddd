import { rejects } from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@confab/client';
import { openServer } from '@confab/internal/test-support';
import type { RemoteMock } from '@confab/mock/remote';
import { createWebhooks } from '@confab/webhooks';
import { toNodeHandler } from '@confab/webhooks/node';

/** The number of workers, and the milliseconds that each pauses on average between two actions. */
const [WORKERS, PAUSE] = [20, 50];

const SECRET = 'soak-secret-soak-secret';

/** The faults in worlds. */
const FAULTS = [{ status: 503 }, { status: 429 }, { network: 'hang' }, { network: 'truncate' }] as const;

/** Bytes that an attacker who has a key may send. */
const attacksWith = (apiKey: string): readonly string[] => {
  const head = `POST /api/v2/public/leads HTTP/1.1\r\nhost: localhost\r\nx-api-key: ${apiKey}\r\n`;
  return [
    '',
    head.slice(0, 40),
    '\x16\x03\x01\x02\x00 hello\r\n\r\n',
    `${head}content-length: 1000\r\n\r\n{"phone":"+44`,
    `${head}content-length: 104857600\r\n\r\n`,
    `${head}transfer-encoding: chunked\r\n\r\n300000\r\n${' '.repeat(0x300000)}\r\n`,
    `${head}content-length: 10000\r\n\r\n${'['.repeat(10_000)}`,
    `${head}x-large: ${'x'.repeat(100_000)}\r\n\r\n`,
  ];
};

const below = (most: number): number => Math.floor(Math.random() * most);

const pick = <T>(values: readonly T[]): T => values[below(values.length)] as T;

const p99Of = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;

/** Starts to send requests of every kind to a mock server, and some to a bare server for comparison. */
export const startLoad = async (remote: RemoteMock, bareUrl: string) => {
  const counts = { actions: 0, deliveries: 0, failures: 0 };
  let [times, bareTimes]: [number[], number[]] = [[], []];
  let [stopping, phones] = [false, 0];

  const webhooks = createWebhooks({ secret: SECRET, signature: { header: 'x-webhook-signature' } });
  webhooks.onAny(() => {
    counts.deliveries += 1;
  });
  const receive = toNodeHandler(webhooks);
  // Three endpoints: one that works, one that fails, and one that never responds.
  const receiver = await openServer((request, response) => {
    if (request.url === '/good') {
      void receive(request, response);
    } else if (request.url === '/failing') {
      response.writeHead(500).end();
    }
  });
  const endpoints = ['good', 'failing', 'silent'].map((path) => `${receiver.url}/${path}`);
  for (const url of endpoints) {
    await remote.webhooks.add({ url, secret: SECRET, retries: [100], timeout: 200, concurrency: 50 });
  }

  const confab = createClient({ ...remote.clientOptions, rateLimit: false, concurrency: 50 });
  const nextPhone = () => `+4479${String(phones++).padStart(8, '0')}`;
  const timed = async <T>(into: number[], call: PromiseLike<T>): Promise<T> => {
    const start = performance.now();
    const result = await call;
    into.push(performance.now() - start);
    return result;
  };

  const read = async () => {
    await timed(times, confab.leads.list({ limit: 10, offset: below(40) }));
    const { data } = await timed(times, confab.conversations.list({ limit: 10 }));
    await timed(times, confab.conversations.get(data[0]?.id ?? '', { messagesLimit: 5 }));
    await confab.leads.list({ limit: 20 }).all({ concurrency: 2 });
  };

  const write = async () => {
    const { id } = await timed(times, confab.leads.create({ phone: nextPhone() }));
    await timed(times, confab.leads.update(id, { notes: 'Called back.' }));
    await remote.leads.delete(id);
    const [agent] = await timed(times, confab.agents.list());
    await timed(times, confab.agents.invoke(agent?.id ?? '', { userMessage: 'What is the price?' }));
  };

  /** Makes calls that fail, and one that is aborted before, while or after it is sent. */
  const fail = async () => {
    const stranger = createClient({ ...remote.clientOptions, apiKey: 'confab_live_wrong' });
    await rejects(async () => stranger.agents.list(), { name: 'AuthenticationError' });
    await rejects(async () => confab.leads.get(crypto.randomUUID()), { name: 'NotFoundError' });
    await Promise.allSettled([confab.leads.list({ limit: 100 }, { signal: AbortSignal.timeout(below(8)) })]);
  };

  /** Sends hostile bytes. How the server ends the connection does not matter. */
  const attack = async () => {
    const socket = connect(Number(new URL(remote.baseUrl).port), '127.0.0.1');
    socket.on('error', () => {}).setTimeout(500, () => socket.destroy());
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.write(pick(attacksWith(remote.apiKey)));
    socket.resume();
    await closed;
  };

  /** Listens to events as the inspector does, while a message arrives that every endpoint receives. */
  const listen = async () => {
    const leaving = new AbortController();
    const { body } = await fetch(`${remote.baseUrl}/__mock/events`, leaving);
    const { message } = await remote.inbound({ phone: `+44780000000${below(10)}`, body: 'Is it there?' });
    await remote.messages.delete(message.id);
    await body?.getReader().read();
    leaving.abort();
  };

  /** Creates a world in which much goes wrong, and deletes it or, one time in ten, leaves that to the server. */
  const useWorld = async () => {
    const world = await remote.worlds.create({ clock: 'system', rateLimit: { requests: 30, perMs: 200 } });
    const unlucky = createClient({ ...world.clientOptions, timeout: 250, retry: { maxRetryAfter: 500 } });
    await world.webhooks.add({ url: pick(endpoints), secret: SECRET, retries: [20], timeout: 100 });
    await world.faults.always('leads.create', { ...pick(FAULTS), probability: 0.5 });
    await Promise.allSettled(Array.from({ length: 5 }, () => unlucky.leads.create({ phone: nextPhone() })));
    await world.inbound({ phone: '+12025559999', body: 'Is it still available?' });
    if (below(10) > 0 && !(await world.delete())) {
      throw new Error('A world was gone before it was deleted.');
    }
  };

  const actions = [...Array.from({ length: 10 }, () => [read, write]).flat(), fail, attack, listen, useWorld];
  const work = async () => {
    for (; !stopping; counts.actions += 1) {
      await pick(actions)().catch((error: unknown) => {
        counts.failures += 1;
        console.error(error);
      });
      await timed(
        bareTimes,
        fetch(bareUrl).then((response) => response.text()),
      );
      await sleep(below(2 * PAUSE));
    }
  };
  const workers = Array.from({ length: WORKERS }, work);

  return {
    counts,
    /** Returns the 99th percentile of latencies since the last call, relative to that of the bare server. */
    relativeP99() {
      const ratio = p99Of(times) / p99Of(bareTimes);
      [times, bareTimes] = [[], []];
      return ratio;
    },
    async stop() {
      stopping = true;
      await Promise.all(workers);
      receiver.close();
    },
  };
};
