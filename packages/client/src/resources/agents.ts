import type { ApiPromise } from '../call/api-promise.ts';
import type { CallById } from '../call/call.ts';
import type { Agent, AgentInvoke, AgentReply } from '../contract/types.ts';
import type { CallOptions } from '../options/client-options.ts';

/** AI agents. */
export interface Agents {
  /**
   * Lists all AI agents. The list is not paged.
   *
   * @throws A {@link ConfabError} when the call fails.
   * @example
   * ```ts
   * const [agent] = await confab.agents.list();
   * ```
   */
  list(options?: CallOptions): ApiPromise<Agent[]>;
  /**
   * Runs an agent in a sandbox on a message of 1 to 4000 characters (Unicode code points). By default an attempt may
   * take 120 seconds and the whole call 300. The call is not idempotent: after an unknown outcome it is not retried
   * unless `retry.nonIdempotent` is set.
   *
   * @throws A {@link NotFoundError} when no agent has this id.
   * @throws A {@link ConfabError} when the call fails. If its `mayHaveActed` is true, the agent may have run.
   * @example
   * ```ts
   * const { text, tokensOut } = await confab.agents.invoke(id, { userMessage: 'Do you deliver on Sundays?' });
   * ```
   */
  invoke(id: string, body: AgentInvoke, options?: CallOptions): ApiPromise<AgentReply>;
}

/** @internal */
export const createAgents = (callById: CallById): Agents => ({
  list: (options) => callById('agents.list', {}, options),
  invoke: (id, body, options) => callById('agents.invoke', { params: { id }, body }, options),
});
