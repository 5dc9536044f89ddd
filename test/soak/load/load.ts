import { createClient } from '@confab/client';
import { connectMock } from '@confab/mock/remote';
import { startChild } from '../../child/start-child.ts';
import { calls } from './calls.ts';
import type { Action, Context } from './context.ts';
import { countRequests } from './count-requests.ts';
import { hostile } from './hostile.ts';
import type { LatencyFigures } from './latencies.ts';
import { Latencies } from './latencies.ts';
import { Outcomes } from './outcomes.ts';
import { createPacer } from './pacer.ts';
import { SECRET, startReceiver } from './receiver.ts';
import { refused } from './refused.ts';
import { streams } from './streams.ts';
import { worlds } from './worlds.ts';

/** Actions under way at once. */
const WORKERS = 20;

/** The share of actions after which the bare server gets a request, to compare with. */
const BARE_SHARE = 0.3;

/** A drawing of every action, as often as its weight says. */
const ACTIONS: readonly Action[] = [...calls, ...refused, ...hostile, ...worlds, ...streams].flatMap(
  ([weight, action]) => Array.from({ length: weight }, () => action),
);

export interface LoadOptions {
  readonly url: string;
  /** Requests to send in all. */
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds after which it ends, even if it has not sent them all. */
  readonly mostMs: number;
  readonly leakWorlds: boolean;
}

/** What the load has done since the last interval. */
export interface LoadFigures {
  readonly ours: LatencyFigures;
  /** Latencies of a bare node:http server, which show what the load and the machine add to those of the server. */
  readonly bare: LatencyFigures;
}

/** Sends requests of every kind to a server. */
export interface Load {
  readonly outcomes: Outcomes;
  sent(): number;
  /** Deliveries that the receiver has accepted. */
  deliveries(): number;
  worlds(): Promise<number>;
  next(): LoadFigures;
  /**
   * Resolves when all requests were sent or the time is up, and every action has ended.
   *
   * @param onSent Called when no action starts any more. Those under way may take a while to end.
   */
  run(onSent: () => void): Promise<void>;
  close(): void;
}

const draw = (): Action => ACTIONS[Math.floor(Math.random() * ACTIONS.length)] ?? (async () => {});

/** Endpoints of the served mock: each event goes to one that works, one that fails, and one that is silent. */
const addEndpoints = async ({ remote, receiver }: Pick<Context, 'remote' | 'receiver'>): Promise<void> => {
  const endpoint = { secret: SECRET, retries: [100], timeout: 200, concurrency: 50 };
  for (const url of [receiver.good, receiver.failing, receiver.silent]) {
    await remote.webhooks.add({ ...endpoint, url });
  }
};

/** Prepares the load. */
export const createLoad = async (options: LoadOptions): Promise<Load> => {
  const { url, requests, perSecond, mostMs, leakWorlds } = options;
  const sent = countRequests(url);
  const [remote, receiver] = [await connectMock(url), await startReceiver()];
  const bareServer = await startChild<{ readonly url: string }, never>(
    new URL('bare-server.ts', import.meta.url),
  );
  const [ours, bare, outcomes] = [new Latencies(), new Latencies(), new Outcomes()];
  await addEndpoints({ remote, receiver });
  const context: Context = {
    url,
    remote,
    confab: createClient({ ...remote.clientOptions, rateLimit: false, concurrency: 50 }),
    receiver,
    latencies: ours,
    outcomes,
    created: { leads: [], messages: [] },
    leakWorlds,
    countRequest: sent.add,
  };

  const act = async (): Promise<void> => {
    const action = draw();
    try {
      await action(context);
    } catch (error) {
      outcomes.fail(action.name, error);
    }
    if (Math.random() < BARE_SHARE) {
      await bare.time(async () => (await fetch(bareServer.greeting.url)).text());
    }
  };

  return {
    outcomes,
    sent: sent.count,
    deliveries: () => [...receiver.accepted.values()].reduce((sum, count) => sum + count, 0),
    worlds: async () => (await remote.worlds.list()).length,
    next: () => ({ ours: ours.next(), bare: bare.next() }),
    async run(onSent) {
      const pacer = createPacer(perSecond, sent.count);
      const end = performance.now() + mostMs;
      const work = async () => {
        while (sent.count() < requests && performance.now() < end) {
          await pacer.due();
          await act();
        }
        onSent();
      };
      await Promise.all(Array.from({ length: WORKERS }, work));
    },
    close() {
      receiver.close();
      bareServer.stop();
    },
  };
};
