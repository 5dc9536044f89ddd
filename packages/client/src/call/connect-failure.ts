import { isError } from '@confab/internal';
import { describeCause } from '../errors/safe-cause.ts';

/** Why no connection was made, so that nothing was sent. */
export interface ConnectFailure {
  readonly explain: (origin: string) => string;
  /** True when a repeat would fail in the same way. */
  readonly final: boolean;
}

/** A kind of such failures, and the errors that prove it. */
interface Kind extends ConnectFailure {
  /** Codes, and system calls that fail only before anything is sent. */
  readonly names: readonly string[];
  /** Matches further codes, and messages where no code tells. Deno's messages come from hyper and rustls. */
  readonly pattern?: RegExp;
}

const KINDS: readonly Kind[] = [
  {
    explain: (origin) => `nothing accepts connections at ${origin}`,
    final: false,
    // The second is from Bun before 1.4.
    names: ['ECONNREFUSED', 'ConnectionRefused'],
    pattern: /client error \(Connect\): tcp connect error: .*refused/,
  },
  {
    explain: (origin) => `the name of ${origin} does not resolve`,
    final: false,
    // Bun reports a temporary failure as ETIMEOUT before 1.4.
    names: ['ENOTFOUND', 'EAI_AGAIN', 'ESERVFAIL', 'ETIMEOUT', 'getaddrinfo', 'queryA', 'queryAaaa'],
    pattern: /client error \(Connect\): dns error: /,
  },
  {
    explain: (origin) => `the certificate of ${origin} is not accepted`,
    final: true,
    names: ['HOSTNAME_MISMATCH', 'INVALID_CA', 'INVALID_PURPOSE', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    pattern:
      /^CERT_|^ERR_TLS_CERT_|SELF_SIGNED_CERT|^UNABLE_TO_GET_ISSUER_CERT|client error \(Connect\): invalid peer certificate: /,
  },
  {
    explain: (origin) => `TLS with ${origin} failed, perhaps because the server speaks http`,
    final: true,
    // From node:https and from Bun.
    names: ['EPROTO'],
    pattern:
      /^ERR_SSL_.*(?:HANDSHAKE_FAILURE|PACKET_LENGTH_TOO_LONG|PROTOCOL_VERSION|RENEGOTIATION_DISABLED|UNRECOGNIZED_NAME|UNSUPPORTED_PROTOCOL|WRONG_VERSION_NUMBER)$|client error \(Connect\): received (?:corrupt message|fatal alert)/,
  },
  {
    explain: (origin) => `the proxy did not connect to ${origin}`,
    final: false,
    names: ['UND_ERR_PRX_TLS'],
    pattern: /^Proxy response \(\d+\) !== 200 when HTTP Tunneling/,
  },
  {
    explain: (origin) => `\`fetch\` refuses the port of ${origin}, which browsers block`,
    final: true,
    names: [],
    pattern: /^bad port$|^Fetch failed: Requests to port \d+ are blocked$/,
  },
  {
    explain: (origin) => `this process has no permission to connect to ${origin}`,
    final: true,
    names: ['ERR_ACCESS_DENIED'],
    pattern: /^Requires net access to /,
  },
  {
    explain: (origin) => `no connection to ${origin} could be made`,
    final: false,
    // Bun before 1.4 gives the last to a connection that was closed before TLS was up.
    names: [
      'connect',
      'UND_ERR_CONNECT_TIMEOUT',
      'ERR_SOCKET_CONNECTION_TIMEOUT',
      'UNKNOWN_CERTIFICATE_VERIFICATION_ERROR',
    ],
    pattern:
      /^Client network socket disconnected before secure TLS|client error \(Connect\): |Was there a typo in the url or port\?$/,
  },
];

const BY_NAME = new Map<unknown, Kind>(KINDS.flatMap((kind) => kind.names.map((name) => [name, kind])));

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
    const { code, syscall, erroredSysCall, message, cause, errors } = error as Record<string, unknown>;
    if (Array.isArray(errors) && errors.length > 0) {
      // One error for each address of a name, tried one after another.
      const failures = errors.map((each) => connectFailureOf(each, depth - 1));
      return failures.includes(undefined) ? undefined : failures[0];
    }
    const found =
      BY_NAME.get(code) ??
      // node-fetch has a name of its own for the system call.
      BY_NAME.get(syscall ?? erroredSysCall) ??
      KINDS.find(({ pattern }) => pattern?.test(String(code)) || pattern?.test(String(message)));
    // An error with another code than its cause decides alone: it may be about a request that was sent.
    const onlyWraps = typeof code !== 'string' || code === Object(cause).code;
    return found ?? (onlyWraps ? connectFailureOf(cause, depth - 1) : undefined);
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
  message === 'fetch failed' && isError(cause) && !cause.message && !('code' in cause);

/**
 * Returns true when a `fetch` that rejected with this error would reject in the same way again, because of a mistake in
 * its code.
 *
 * @param error A copy by `safeCause`, whose properties can be read safely.
 */
export const isProgrammingError = (error: Error): boolean =>
  error.name === 'ReferenceError' ||
  /is not a function$|failed to parse url|invalid url|url is invalid|not a valid url/i.test(
    describeCause(error),
  );
