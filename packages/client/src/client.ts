import { ConfigurationError } from './errors/index.ts';
import type { ClientOptions } from './options/client-options.ts';
import { resolveClientOptions } from './options/resolve-client-options.ts';
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
import { showAs } from './runtime/node.ts';
import { createTransport } from './transport/transport.ts';

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
  /** The current rate-limit state. */
  readonly rateLimit: RateLimitSnapshot;
}

const isBrowser = (): boolean => 'window' in globalThis && 'document' in globalThis;

/**
 * Creates a client of the API. All its calls share one limiter, so create one client per API key and keep it.
 *
 * @throws {@link ConfigurationError} When an option is missing or invalid.
 * @example
 * ```ts
 * const confab = createClient({ baseUrl: 'https://api.example.com', apiKey: process.env.CONFAB_API_KEY });
 * const lead = await confab.leads.create({ phone: '+5511987654321' });
 * ```
 */
export const createClient = (options: ClientOptions = {}): Confab => {
  const resolved = resolveClientOptions(options);
  if (isBrowser() && options.dangerouslyAllowBrowser !== true) {
    throw new ConfigurationError(
      'In a browser, every visitor can read the API key. Call the API from a server, or set `dangerouslyAllowBrowser: true` for a mock or the visitor’s own key.',
    );
  }
  const limiter = createLimiter({ ...resolved, warn: resolved.report.warn, redact: resolved.key.redact });
  const transport = createTransport(resolved, limiter);
  const list = createLister(transport);

  const client: Confab = {
    conversations: createConversations(transport, list),
    leads: createLeads(resolved, transport, list),
    agents: createAgents(transport),
    analytics: createAnalytics(transport),
    get rateLimit() {
      return limiter.snapshot();
    },
  };
  showAs(client, 'Confab', ({ rateLimit }) => ({ baseUrl: resolved.baseUrl, rateLimit }));
  return client;
};
