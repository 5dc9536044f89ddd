import type { ClientOptions, Clock, Fetch } from '@confab/client';
import type { DedupeOptions, DedupeStore, WebhooksOptions } from '@confab/webhooks';

/** What must hold in every run. docs/proof/simulation.md says what each name means, with its exceptions. */
export const INVARIANTS = [
  'write-once',
  'retry-limit',
  'retry-after',
  'window',
  'concurrency',
  'order',
  'deadline',
  'visits',
  'rotation',
  'delivered',
  'forged',
  'handled-once',
  'settled',
  'expected',
] as const;

export type Invariant = (typeof INVARIANTS)[number];

/** The secret of the attacker in the network. */
export const WRONG_SECRET = 'd3Jvbmctc2VjcmV0LW9mLXRoZS1hdHRhY2tlcg==';

/**
 * A planted fault. It changes the options that the simulation passes to a package, so that the package seems to misbehave,
 * and survives any change of the package's own code.
 */
export interface Fault {
  /** What goes wrong. */
  readonly text: string;
  /** The invariant that breaks first. */
  readonly breaks: Invariant;
  readonly client?: (options: ClientOptions) => ClientOptions;
  readonly webhooks?: (options: WebhooksOptions) => WebhooksOptions;
}

/** Changes how a client retries, if it retries at all. */
const withRetry = (options: ClientOptions, change: (limit: number) => object): ClientOptions =>
  typeof options.retry === 'object'
    ? { ...options, retry: { ...options.retry, ...change(options.retry.limit ?? 0) } }
    : options;

type PlatformFetch = (...request: Parameters<Fetch>) => Promise<Response>;

/** Changes the requests of a client, or their responses. */
const withFetch = (
  options: ClientOptions,
  change: (fetch: PlatformFetch, clock: Clock) => Fetch,
): ClientOptions => ({
  ...options,
  fetch: change(options.fetch as PlatformFetch, options.clock as Clock),
});

const withStore = (
  options: WebhooksOptions,
  change: (store: DedupeStore) => Partial<DedupeStore>,
): WebhooksOptions => {
  const dedupe = options.dedupe as DedupeOptions;
  const store = dedupe.store as DedupeStore;
  return { ...options, dedupe: { ...dedupe, store: { ...store, ...change(store) } } };
};

/** A fault for each invariant. */
export const FAULTS: readonly Fault[] = [
  {
    text: 'Every write is retried.',
    breaks: 'write-once',
    client: (options) => withRetry(options, () => ({ nonIdempotent: true })),
  },
  {
    text: 'A call is retried once more than its limit allows.',
    breaks: 'retry-limit',
    client: (options) => withRetry(options, (limit) => ({ limit: limit + 1 })),
  },
  {
    text: 'A date in `Retry-After` is compared with the clock of the client, which may be wrong.',
    breaks: 'retry-after',
    client: (options) =>
      withFetch(options, (fetch) => async (url, init) => {
        const response = await fetch(url, init);
        response.headers.delete('date');
        return response;
      }),
  },
  {
    text: 'A client sends one request more in a window than its own limit allows.',
    breaks: 'window',
    client: ({ rateLimit, ...options }) => ({
      ...options,
      rateLimit:
        typeof rateLimit === 'object' && 'requests' in rateLimit
          ? { ...rateLimit, requests: rateLimit.requests + 1 }
          : rateLimit,
    }),
  },
  {
    text: 'A client sends one request more at once than its `concurrency` allows.',
    breaks: 'concurrency',
    client: (options) => ({ ...options, concurrency: (options.concurrency ?? 0) + 1 }),
  },
  {
    text: 'Every other request starts a moment later, after those that were made next.',
    breaks: 'order',
    client(options) {
      const { onRequest } = options.hooks ?? {};
      let requests = 0;
      let sending: Parameters<NonNullable<typeof onRequest>>[0];
      const changed = withFetch(options, (fetch, clock) => async (url, init) => {
        const mine = sending;
        requests += 1;
        await clock.sleep(requests % 2, init.signal as AbortSignal);
        onRequest?.(mine);
        return fetch(url, init);
      });
      return { ...changed, hooks: { ...options.hooks, onRequest: (event) => (sending = event) } };
    },
  },
  {
    text: 'A deadline ends a call a second late.',
    breaks: 'deadline',
    client: (options) => ({ ...options, totalTimeout: options.totalTimeout && options.totalTimeout + 1_000 }),
  },
  {
    text: 'A walk ends where the list ended when it began, although the list grows.',
    breaks: 'visits',
    client(options) {
      let total = 0;
      return withFetch(options, (fetch) => async (url, init) => {
        const response = await fetch(url, init);
        const page = url.includes('offset=') && response.ok ? await response.clone().json() : undefined;
        if (page === undefined) {
          return response;
        }
        total = url.includes('offset=0') ? page.meta.total : Math.min(total, page.meta.total);
        return Response.json({ ...page, meta: { ...page.meta, total } }, response);
      });
    },
  },
  {
    text: 'The `apiKey` function is asked only once.',
    breaks: 'rotation',
    client(options) {
      let key: string | undefined;
      const ask = options.apiKey as () => string | Promise<string>;
      return {
        ...options,
        apiKey: async () => {
          key ??= await ask();
          return key;
        },
      };
    },
  },
  {
    text: 'A dedupe key is a header alone, so an attacker can use up the key of another delivery.',
    breaks: 'delivered',
    webhooks: (options) => {
      const bare = (key: string) => key.replace(/-[\da-f]{64}$/, '');
      return withStore(options, ({ claim, complete, release }) => ({
        claim: (key, token) => claim(bare(key), token),
        complete: (key, token) => complete(bare(key), token),
        release: (key, token) => release(bare(key), token),
      }));
    },
  },
  {
    text: 'A receiver accepts the secret of an attacker.',
    breaks: 'forged',
    webhooks: (options) => ({ ...options, secret: [options.secret, WRONG_SECRET].flat() as string[] }),
  },
  {
    text: 'A delivery that was handled is handled again when it is redelivered.',
    breaks: 'handled-once',
    webhooks: (options) =>
      withStore(options, (store) => ({
        async claim(key, claim) {
          const state = await store.claim(key, claim);
          return state === 'completed' ? 'claimed' : state;
        },
      })),
  },
  {
    text: 'A call waits forever for an `apiKey` function that hangs.',
    breaks: 'settled',
    client(options) {
      const { now, sleep } = options.clock as Clock;
      const clock: Clock = { now, sleep: (ms, signal) => sleep(ms === 30_000 ? Infinity : ms, signal) };
      return { ...options, clock };
    },
  },
  {
    text: 'Keys count as invalid.',
    breaks: 'expected',
    client: (options) => ({ ...options, apiKey: () => 'not a key' }),
  },
];
