/** The last error of a connection. */
export interface RedisErrors {
  last: unknown;
}

const errorsOf = new WeakMap<object, RedisErrors>();

/**
 * Listens for the `error` event of a Redis client, once per client. The returned object has the last error, until the
 * client is connected again.
 *
 * Without a listener, node-redis ends the process when the connection is lost, although it reconnects by itself. Both
 * packages queue commands while they reconnect, so only this event tells why a command gets no reply.
 */
export const watchRedisErrors = (client: object): RedisErrors => {
  const known = errorsOf.get(client);
  if (known !== undefined) {
    return known;
  }
  const errors: RedisErrors = { last: undefined };
  errorsOf.set(client, errors);
  const { on } = client as { on?: (name: string, listener: (error: unknown) => void) => void };
  on?.call(client, 'error', (error) => {
    errors.last = error;
  });
  // The error of an earlier outage must not be reported for a later one.
  on?.call(client, 'ready', () => {
    errors.last = undefined;
  });
  return errors;
};
