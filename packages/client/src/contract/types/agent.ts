/** An AI agent of the account. */
export interface Agent {
  /** The id of the agent, a UUID. */
  id: string;
  /** The name of the agent. */
  name: string;
  /** What the agent is for; `null` if it has no description. */
  description: string | null;
  /** The provider of the language model. */
  llmProvider: string;
  /** The language model; `null` if none is set. */
  llmModel: string | null;
  /** When the agent was last changed, as an RFC 3339 date-time. */
  updatedAt: string;
}

/** The body that invokes an agent in its sandbox. */
export interface AgentInvoke {
  /** The message to reply to, of 1 to 4000 characters (Unicode code points). */
  userMessage: string;
}

/** The text that an agent generated, and what it cost. */
export interface AgentReply {
  /** The generated text. */
  text: string;
  /** The number of tokens that the model read. */
  tokensIn: number;
  /** The number of tokens that the model generated. */
  tokensOut: number;
  /** The time that the agent took, in milliseconds. */
  latencyMs: number;
}
