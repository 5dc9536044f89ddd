import { setTimeout as sleep } from 'node:timers/promises';
import { measureProcess } from './figures.ts';
import { leftHandles } from './judge.ts';
import { createLoad } from './load/load.ts';
import type { SoakOptions } from './options.ts';
import type { Sample } from './sample.ts';
import { startServer } from './start-server.ts';

/** The most milliseconds between two samples. */
const LONGEST_INTERVAL = 3_000;

/** How many times the minutes of a run it may take on a machine that is too slow for its pace. */
const LONGEST = 1.75;

/** How many times its minutes a run may take that has kept its pace: the pacer is never early, so it is always a bit late. */
const LATE = 1.02;

/** Samples and collections of a run: the check of the slopes needs some. */
const [SAMPLES, COLLECTIONS] = [80, 40];

/** Milliseconds between two looks at a server that settles. */
const SETTLING = 1_000;

/** The most milliseconds from one forced collection of garbage to the next: it stops the server for a moment. */
const LONGEST_COLLECTION = 12_000;

/** Milliseconds after which the server deletes an abandoned world: in a short run, there is little time for that. */
const worldTtlOf = (minutes: number): number => Math.min(Math.max(minutes * 10_000, 5_000), 20_000);

/** Milliseconds after the load in which connections, deliveries and abandoned worlds must end. */
const SETTLES_WITHIN = 60_000;

export interface SoakRun {
  readonly samples: readonly Sample[];
  /** Sent in all. */
  readonly requests: number;
  /** How much of everything was done, by name. */
  readonly outcomes: ReadonlyMap<string, number>;
  readonly deliveries: number;
  /** The number of actions that failed and should not have. */
  readonly failures: number;
  /** Whether all requests were sent in the minutes of the run. */
  readonly keptPace: boolean;
  /** What must not happen: such actions, too few requests, and handles and worlds that are left. */
  readonly faults: readonly string[];
}

/**
 * Puts a server under load for as long as the options say, and measures it meanwhile.
 *
 * @param report Called with each sample.
 * @param say Called with what the run does next.
 */
export const runSoak = async (
  { minutes, requests, leak }: Pick<SoakOptions, 'minutes' | 'requests' | 'leak'>,
  report: (sample: Sample) => void,
  say: (what: string) => void,
): Promise<SoakRun> => {
  say('Starting the server.');
  const server = await startServer(leak === 'worlds' ? Number.POSITIVE_INFINITY : worldTtlOf(minutes), leak);
  try {
    const before = await server.measure(true);
    const load = await createLoad({
      url: server.url,
      requests,
      perSecond: requests / (minutes * 60),
      mostMs: minutes * 60_000 * LONGEST,
      leakWorlds: leak === 'worlds',
    });
    say(`Sending ${requests} requests in ${minutes} minutes, or as fast as this machine allows.`);
    const samples: Sample[] = [];
    const interval = Math.min(LONGEST_INTERVAL, (minutes * 60_000) / SAMPLES);
    const start = performance.now();
    let collectAt = start;
    const take = async (): Promise<void> => {
      const collects = performance.now() >= collectAt;
      if (collects) {
        collectAt += Math.min(LONGEST_COLLECTION, (minutes * 60_000) / COLLECTIONS);
      }
      const sample = {
        seconds: (performance.now() - start) / 1_000,
        requests: load.sent(),
        server: await server.measure(collects),
        load: measureProcess(collects),
        worlds: await load.worlds(),
        latency: load.next(),
      };
      samples.push(sample);
      report(sample);
    };

    const ended = new AbortController();
    const sampling = (async () => {
      while (!ended.signal.aborted) {
        await sleep(interval, undefined, { signal: ended.signal }).then(take, () => {});
      }
    })();
    let sentIn = 0;
    const stopSampling = (): void => {
      sentIn ||= performance.now() - start;
      ended.abort();
    };
    await Promise.all([load.run(stopSampling).finally(() => ended.abort()), sampling]);

    say(`Waiting up to ${SETTLES_WITHIN / 1_000} s for connections, deliveries and worlds to end.`);
    const left = await settle(server, load, before.handles);
    load.close();
    const { failures, unexpected, counts } = load.outcomes;
    return {
      samples,
      requests: load.sent(),
      outcomes: counts,
      deliveries: load.deliveries(),
      failures,
      keptPace: load.sent() >= requests && sentIn <= minutes * 60_000 * LATE,
      faults: [...unexpected, ...shortfall(load.sent(), requests), ...left],
    };
  } finally {
    server.stop();
  }
};

/** A run that sent fewer requests than asked for proves less than the page says. */
const shortfall = (sent: number, asked: number): string[] =>
  sent < asked
    ? [
        `Sent ${sent.toLocaleString('en')} of ${asked.toLocaleString('en')} requests: this machine is too slow for the pace. Close other programs, or pass a lower --requests.`,
      ]
    : [];

/** Waits until the server is as idle as it was before, and says what is left when it does not become so in time. */
const settle = async (
  server: Awaited<ReturnType<typeof startServer>>,
  load: Awaited<ReturnType<typeof createLoad>>,
  before: Readonly<Record<string, number>>,
): Promise<string[]> => {
  const end = performance.now() + SETTLES_WITHIN;
  let worlds = await load.worlds();
  for (;;) {
    // Once all are gone, no request of this program must keep a connection open.
    worlds = worlds === 0 ? 0 : await load.worlds();
    await sleep(SETTLING);
    const { handles } = await server.measure(true);
    const left = [
      ...leftHandles(before, handles).map((handle) => `left open at the end: ${handle}`),
      ...(worlds > 0 ? [`left at the end: ${worlds} worlds`] : []),
    ];
    if (left.length === 0 || performance.now() > end) {
      return left;
    }
  }
};
