/** Limits on what callers can take of a server. No test suite reaches them: they bound the memory that strangers can fill. */
export interface ServerLimits {
  /** Milliseconds for a whole request, or the handshake of TLS. */
  readonly requestTimeout: number;
  /** Milliseconds without any byte sent or received: longer than any client waits for a response that hangs. */
  readonly idleTimeout: number;
  /** Connections at once. */
  readonly maxConnections: number;
  /** Requests at once. */
  readonly requests: number;
  /** The bytes of all bodies in memory. */
  readonly bodyBytes: number;
  /** The streams of events. Each one may leave a megabyte unread. */
  readonly listeners: number;
  /** The maximum number of worlds. The default number takes less than 200 MB. */
  readonly worlds: number;
}

export const SERVER_LIMITS: ServerLimits = {
  requestTimeout: 60_000,
  idleTimeout: 600_000,
  maxConnections: 1_000,
  requests: 2_000,
  bodyBytes: 64 * 1024 * 1024,
  listeners: 100,
  worlds: 1_000,
};
