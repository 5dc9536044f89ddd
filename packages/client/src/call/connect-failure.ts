import type { ConnectFailure } from './outcome.ts';

/** A way in which a connection fails to be made. */
interface Kind extends ConnectFailure {
  /**
   * Matches codes, system calls that fail only before anything is sent, and, where neither is enough, messages. Those of
   * Deno come from hyper and rustls.
   */
  readonly pattern: RegExp;
}

const KINDS: readonly Kind[] = [
  {
    explain: (origin) => `nothing accepts connections at ${origin}`,
    final: false,
    // The second code is from Bun before 1.4.
    pattern: /^(?:ECONNREFUSED|ConnectionRefused)$|client error \(Connect\): tcp connect error: .*refused/,
  },
  {
    explain: (origin) => `the name of ${origin} does not resolve`,
    final: false,
    // Bun reports a temporary failure as ETIMEOUT before 1.4.
    pattern:
      /^(?:ENOTFOUND|EAI_AGAIN|ESERVFAIL|ETIMEOUT|getaddrinfo|queryA|queryAaaa)$|client error \(Connect\): dns error: /,
  },
  {
    explain: (origin) => `the certificate of ${origin} is not accepted`,
    final: true,
    pattern:
      /^(?:HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE)$|^CERT_|^ERR_TLS_CERT_|SELF_SIGNED_CERT|^UNABLE_TO_(?:GET|VERIFY)_|client error \(Connect\): invalid peer certificate: /,
  },
  {
    explain: (origin) => `TLS with ${origin} failed, perhaps because the server speaks http`,
    final: true,
    // EPROTO is from node:https and from Bun. It may also be about an open connection, so the message decides.
    pattern:
      /(?:^ERR_SSL_|EPROTO).*(?:HANDSHAKE.FAIL|PACKET.LENGTH.TOO.LONG|PROTOCOL.VERSION|RENEGOTIATION.DISABLED|UNRECOGNIZED.NAME|UNSUPPORTED.PROTOCOL|WRONG.VERSION.NUMBER)|client error \(Connect\): received (?:corrupt message|fatal alert)/i,
  },
  {
    explain: (origin) => `the proxy did not connect to ${origin}`,
    final: false,
    pattern: /^UND_ERR_PRX_TLS$|^Proxy response \(\d+\) !== 200 when HTTP Tunneling/,
  },
  {
    explain: (origin) => `\`fetch\` refuses the port of ${origin}, which browsers block`,
    final: true,
    pattern: /^bad port$|^Fetch failed: Requests to port \d+ are blocked$/,
  },
  {
    explain: (origin) => `this process has no permission to connect to ${origin}`,
    final: true,
    pattern: /^ERR_ACCESS_DENIED$|^Requires net access to /,
  },
  {
    explain: (origin) => `no connection to ${origin} could be made`,
    final: false,
    // Bun before 1.4 gives the certificate error to a connection that was closed before TLS was up.
    pattern:
      /^(?:connect|UND_ERR_CONNECT_TIMEOUT|ERR_SOCKET_CONNECTION_TIMEOUT|UNKNOWN_CERTIFICATE_VERIFICATION_ERROR)$|^Client network socket disconnected before secure TLS|client error \(Connect\): |Was there a typo in the url or port\?$/,
  },
];

/** Maximum depth of causes to follow. */
const DEPTH = 4;

/**
 * Returns why no connection was made, if the error that `fetch` rejected with proves that none was. If a connection broke
 * later, the service may have read the request.
 */
export const findConnectFailure = (error: unknown, depth = DEPTH): ConnectFailure | undefined => {
  if (typeof error !== 'object' || error === null || depth === 0) {
    return undefined;
  }
  try {
    const { code, syscall, erroredSysCall, message, cause, errors } = error as Record<string, unknown>;
    if (Array.isArray(errors) && errors.length > 0) {
      // One error for each address of a name, tried one after another.
      const failures = errors.map((each) => findConnectFailure(each, depth - 1));
      return failures.includes(undefined)
        ? undefined
        : (failures.find((failure) => !failure?.final) ?? failures[0]);
    }
    // node-fetch has a name of its own for the system call.
    const signs = [code, syscall ?? erroredSysCall, message];
    const found = KINDS.find(({ pattern }) => signs.some((sign) => pattern.test(String(sign))));
    // If the codes of an error and its cause differ, only the error counts: it may be about a request that was sent.
    const onlyWraps = typeof code !== 'string' || code === Object(cause).code;
    return found ?? (onlyWraps ? findConnectFailure(cause, depth - 1) : undefined);
  } catch {
    // A getter of a hostile error has thrown.
    return undefined;
  }
};
