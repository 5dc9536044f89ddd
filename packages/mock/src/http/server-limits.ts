const MIB = 1024 * 1024;

/** Limits on the resources that callers can take. No test suite reaches them: they bound the memory that strangers can fill. */
export const SERVER_LIMITS = {
  /** Milliseconds for a whole request, or for a TLS handshake. */
  requestTimeout: 60_000,
  /** Milliseconds without any byte sent or received: longer than any client waits for a response that hangs. */
  idleTimeout: 600_000,
  /** Open connections. */
  maxConnections: 1_000,
  /** Requests in flight. */
  requests: 2_000,
  /** The bytes of all bodies in memory. One body has a limit of its own, which `mock.fetch` has too. */
  bodyBytes: 64 * MIB,
  /** Open event streams. */
  listeners: 100,
  /** Bytes that the listener of one stream may leave unread. */
  unreadBytes: MIB,
  /** The maximum number of worlds. The default number takes less than 200 MB. */
  worlds: 1_000,
  /** Milliseconds after which an unused world is deleted, unless an option says otherwise. */
  worldTtl: 600_000,
  /** Bytes for the requests and for the deliveries of a world, unless an option says otherwise. */
  worldLogBytes: MIB,
  /** Snapshots of a mock. Each one keeps its rows in memory, and callers forget to delete snapshots. */
  snapshots: 100,
};

export type ServerLimits = Readonly<typeof SERVER_LIMITS>;
