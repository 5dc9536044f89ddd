import type { Agent, AgentInvoke, AgentReply } from '../contract/types/index.ts';
import type { CallOptions } from '../options/options.ts';
import type { ApiPromise } from '../transport/api-promise.ts';
import type { Requester } from '../transport/transport.ts';

/** AI agents. */
export interface Agents {
  /**
   * Lists all AI agents; this list does not come in pages.
   *
   * @example
   * ```ts
   * const [agent] = await confab.agents.list();
   * ```
   */
  list(options?: CallOptions): ApiPromise<Agent[]>;
  /**
   * Runs an agent in a sandbox on a message of 1 to 4000 characters (Unicode code points). An attempt may take
   * 120 seconds, the whole call 300, unless told otherwise. Never repeated by itself after an unknown outcome.
   *
   * @throws {@link NotFoundError} When there is no agent with this id.
   * @example
   * ```ts
   * const { text, tokensOut } = await confab.agents.invoke(id, { userMessage: 'Do you deliver on Sundays?' });
   * ```
   */
  invoke(id: string, body: AgentInvoke, options?: CallOptions): ApiPromise<AgentReply>;
}

export const createAgents = ({ send }: Requester): Agents => ({
  list: (options) => send('agents.list', {}, options),
  invoke: (id, body, options) => send('agents.invoke', { params: { id }, body }, options),
});
