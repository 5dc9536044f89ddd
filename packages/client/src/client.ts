import { createCallById, createCaller } from './call/call.ts';
import { ConfigurationError } from './errors/index.ts';
import { createListById } from './lists/paginated.ts';
import type { ClientDefaults, ClientOptions } from './options/client-options.ts';
import type { ClientSettings } from './options/resolve-options.ts';
import { resolveClientOptions, withDefaults } from './options/resolve-options.ts';
import type { RateLimitSnapshot } from './rate-limit/limiter.ts';
import { Limiter } from './rate-limit/limiter.ts';
import { formatRateLimit } from './rate-limit/window.ts';
import type { Agents } from './resources/agents.ts';
import { createAgents } from './resources/agents.ts';
import type { Analytics } from './resources/analytics.ts';
import { createAnalytics } from './resources/analytics.ts';
import type { Conversations } from './resources/conversations.ts';
import { createConversations } from './resources/conversations.ts';
import type { SendCustomRequest } from './resources/custom-request.ts';
import { createRequest } from './resources/custom-request.ts';
import type { Leads } from './resources/leads.ts';
import { createLeads } from './resources/leads.ts';
import { createMessagesSince } from './resources/messages-since.ts';
import { isBrowser, showAs } from './runtime/runtime.ts';

/** The API client: one method per operation. */
export interface Confab {
  /** Conversations and their messages. */
  readonly conversations: Conversations;
  /** Leads: contacts or prospects. */
  readonly leads: Leads;
  /** AI agents. */
  readonly agents: Agents;
  /** Analytics. */
  readonly analytics: Analytics;
  /**
   * Sends a request that no other method sends, such as one for an endpoint that is newer than this package. It uses the
   * same rate limit, retries, total timeout, errors and hooks. In errors and events, its operation is `request`.
   *
   * Without a `schema`, the data is `unknown`. After a HEAD or a 204, it is undefined.
   *
   * @throws An {@link InvalidRequestError} when the path could leave the base URL.
   * @throws An {@link InvalidResponseError} when the data does not match the schema.
   * @example
   * ```ts
   * const tags = await confab.request({ method: 'GET', path: '/api/v2/public/tags', query: { limit: 10 } });
   * ```
   */
  readonly request: SendCustomRequest;
  /** The current rate-limit state. */
  readonly rateLimit: RateLimitSnapshot;
  /**
   * Returns a client with different defaults for its calls, which shares the key, rate limit and hooks of this one. Options
   * that are left out keep their values. Fields of `retry` are replaced one by one, and headers by name; a `headers`
   * function replaces an earlier function.
   *
   * @throws A {@link ConfigurationError} when an option is invalid or cannot be changed.
   * @example
   * ```ts
   * const patient = confab.withOptions({ totalTimeout: 600_000, retry: { limit: 10 } });
   * ```
   */
  withOptions(options: ClientDefaults): Confab;
}

/** Creates a client that sends its calls through a limiter. */
const createConfab = (settings: ClientSettings, limiter: Limiter): Confab => {
  const { reporter, key } = settings;
  const caller = createCaller(settings, limiter);
  const callById = createCallById(caller, reporter);
  const list = createListById(caller.makeCall, reporter, key.redact);

  const client: Confab = {
    conversations: createConversations(callById, list, createMessagesSince(settings, caller)),
    leads: createLeads(settings, caller, callById, list),
    agents: createAgents(callById),
    analytics: createAnalytics(callById),
    request: createRequest(caller, key.redact),
    get rateLimit() {
      return limiter.snapshot();
    },
    withOptions: (options) => createConfab(withDefaults(settings, options), limiter),
  };
  const summary = () => ({ baseUrl: settings.baseUrl, rateLimit: limiter.snapshot() });
  // Not enumerable, because it is not part of the public API.
  Object.defineProperty(client, 'toJSON', { value: summary });
  showAs(client, 'Confab', summary);
  return client;
};

/**
 * Creates a client of the API. All its calls share one limiter, so create one client per API key and keep it.
 *
 * @throws A {@link ConfigurationError} when an option is missing or invalid.
 * @example
 * ```ts
 * const confab = createClient({ baseUrl: 'https://api.example.com', apiKey: process.env.CONFAB_API_KEY });
 * const lead = await confab.leads.create({ phone: '+5511987654321' });
 * ```
 */
export const createClient = (options: ClientOptions = {}): Confab => {
  const settings = resolveClientOptions(options);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new ConfigurationError(
      "In a browser, every visitor can read the API key. Call the API from a server, or set `dangerouslyAllowBrowser: true` for a mock or the visitor's own key.",
    );
  }
  const { reporter, key } = settings;
  const limiter = new Limiter({
    ...settings,
    onPause: (event) => reporter.emit('onPause', event),
    onLearn: (rate) => reporter.log('info', `learned the rate limit: ${formatRateLimit(rate)}`, rate),
    warn: reporter.warn,
    redact: key.redact,
  });
  return createConfab(settings, limiter);
};
