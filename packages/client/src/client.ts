import { ConfigurationError } from './errors/index.ts';
import { checkNames } from './options/check-names.ts';
import { CLIENT_OPTIONS } from './options/option-names.ts';
import type { ClientOptions } from './options/options.ts';
import { createConfig } from './options/resolve-client-options.ts';
import type { RateLimitSnapshot } from './rate-limit/limiter.ts';
import { createLimiter } from './rate-limit/limiter.ts';
import type { Agents } from './resources/agents.ts';
import { createAgents } from './resources/agents.ts';
import type { Analytics } from './resources/analytics.ts';
import { createAnalytics } from './resources/analytics.ts';
import type { Conversations } from './resources/conversations.ts';
import { createConversations } from './resources/conversations.ts';
import type { Leads } from './resources/leads.ts';
import { createLeads } from './resources/leads.ts';
import { createLister } from './resources/lister.ts';
import { inspectable } from './secrecy/inspectable.ts';
import { createCaller } from './transport/send-with-retries.ts';
import { createRequester } from './transport/transport.ts';

/** The API, a method an operation. */
export interface Confab {
  readonly conversations: Conversations;
  readonly leads: Leads;
  readonly agents: Agents;
  readonly analytics: Analytics;
  /** How the client stands towards the rate limit, at this moment. */
  readonly rateLimit: RateLimitSnapshot;
}

const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;

/**
 * Makes a client of the API. All its calls share one limiter: make one client for each key, and keep it.
 *
 * @throws {@link ConfigurationError} When an option is missing or makes no sense.
 * @example
 * ```ts
 * const confab = createClient({ baseUrl: 'https://api.example.com', apiKey: process.env.CONFAB_API_KEY });
 * const lead = await confab.leads.create({ phone: '+5511987654321' });
 * ```
 */
export const createClient = (options: ClientOptions = {}): Confab => {
  checkNames('option of createClient', options, CLIENT_OPTIONS);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new ConfigurationError(
      'This looks like a browser, where every visitor can read the API key. Call the API from a server, or set `dangerouslyAllowBrowser: true` if the key is the visitor’s own or a mock’s.',
    );
  }
  const config = createConfig(options);
  const limiter = createLimiter(config);
  const requester = createRequester(config, createCaller(config, limiter));
  const list = createLister(requester);

  const client: Confab = {
    conversations: createConversations(requester, list),
    leads: createLeads(config, requester, list),
    agents: createAgents(requester),
    analytics: createAnalytics(requester),
    get rateLimit() {
      return limiter.snapshot();
    },
  };
  const { baseUrl } = config;
  return inspectable(client, 'Confab', ({ rateLimit }) => ({ baseUrl, rateLimit }));
};
