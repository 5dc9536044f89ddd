/** Why no connection was made, so that nothing was sent. */
export interface ConnectFailure {
  readonly kind: 'refused' | 'unresolved' | 'not-tls' | 'proxy' | 'blocked-port';
  /** The code of the error, where the runtime gives one. */
  readonly code: string | undefined;
}

const KINDS: Readonly<Record<string, ConnectFailure['kind']>> = {
  ECONNREFUSED: 'refused',
  // Bun before 1.4.
  ConnectionRefused: 'refused',
  ENOTFOUND: 'unresolved',
  EAI_AGAIN: 'unresolved',
  ERR_SSL_WRONG_VERSION_NUMBER: 'not-tls',
};

/** Errors without a code. Deno's come from hyper and rustls, before the operating system's own words. */
const MESSAGES: readonly (readonly [RegExp, ConnectFailure['kind']])[] = [
  [/client error \(Connect\): tcp connect error: .*refused/, 'refused'],
  [/client error \(Connect\): dns error: /, 'unresolved'],
  [/client error \(Connect\): received corrupt message of type InvalidContentType$/, 'not-tls'],
  [/^Proxy response \(\d+\) !== 200 when HTTP Tunneling/, 'proxy'],
  [/^bad port$/, 'blocked-port'],
];

/** Maximum depth of causes to follow. */
const DEPTH = 4;

/**
 * Returns why no connection was made, if that is certain from the error that `fetch` rejected with. A connection that broke
 * later leaves open what the service has read.
 */
export const connectFailureOf = (error: unknown, depth = DEPTH): ConnectFailure | undefined => {
  if (typeof error !== 'object' || error === null || depth === 0) {
    return undefined;
  }
  try {
    const { code, message, cause, errors } = error as Record<string, unknown>;
    if (Array.isArray(errors) && errors.length > 0) {
      // One error for each address of a name, tried one after another.
      const failures = errors.map((each) => connectFailureOf(each, depth - 1));
      return failures.includes(undefined) ? undefined : failures[0];
    }
    const text = String(message);
    const kind = KINDS[String(code)] ?? MESSAGES.find(([pattern]) => pattern.test(text))?.[1];
    if (kind !== undefined) {
      return { kind, code: code === undefined ? undefined : String(code) };
    }
    return connectFailureOf(cause, depth - 1);
  } catch {
    // A getter of a hostile error has thrown.
    return undefined;
  }
};

/**
 * Node's `fetch` rejects on a 407, with an empty error as cause. It does so for no other reason in a request like ours.
 *
 * @param error A copy by `safeCause`, whose properties can be read safely.
 */
export const isHidden407 = ({ message, cause }: Error): boolean =>
  message === 'fetch failed' && cause instanceof Error && !cause.message && !('code' in cause);

/**
 * Returns true when a `fetch` that rejected with this error would reject in the same way again, because of a mistake in
 * its code.
 *
 * @param error A copy by `safeCause`, whose properties can be read safely.
 */
export const isProgrammingError = ({ name, message }: Error): boolean =>
  name === 'ReferenceError' || /is not a function$/.test(message);
