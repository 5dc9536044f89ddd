import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { inspect } from 'node:util';
import { freePort, listen, listenTcp } from '@confab/internal/test-support';
import ky from 'ky';
import { expect, test } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { ApiError, ConnectionError } from '../src/index.ts';
import { kyFetch } from '../src/ky/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

const phone = '+5511987654321';
const DOUBT = 'may have been created';

const coded = (code: string, message = code, details: object = {}) =>
  Object.assign(new Error(message), { code, ...details });
/** An error of a system call, as Node reports it. */
const failed = (syscall: string, code: string) => coded(code, `${syscall} ${code}`, { syscall });
const brokenTls = (reason: string) =>
  coded('EPROTO', `write EPROTO 80A1:error:0A000000:SSL routines:ssl3_read_bytes:${reason}:rec.c:1:\n`, {
    syscall: 'write',
  });
const within = (cause: Error) => new TypeError('fetch failed', { cause });
/** One error for each address of a name. */
const each = (...errors: (Error & { code: string })[]) =>
  within(Object.assign(new AggregateError(errors), { code: errors[0]?.code }));
/** An error of axios and got, which has the code of its cause. */
const copied = (cause: Error & { code: string }) =>
  Object.assign(new Error(cause.message, { cause }), { code: cause.code });
const deno = (message: string) =>
  within(new Error(`error sending request for url (https://api.example.com/): client error ${message}`));
const bun = (code: string, message: string) => Object.assign(new TypeError(message), { code, errno: 0 });

/** A client whose `fetch` rejects with each error in turn, and then responds with a lead. */
const meet = (errors: readonly unknown[], options: ClientOptions = {}) => {
  const left = [...errors];
  let sent = 0;
  const confab = clientWith({
    clock: createTestClock(),
    fetch: async () => {
      sent += 1;
      if (left.length > 0) {
        throw left.shift();
      }
      return Response.json({ success: true, data: lead }, { status: 201 });
    },
    ...options,
  });
  return { confab, sent: () => sent };
};

test('a POST is retried when nothing accepts connections, and the error says that nothing was sent', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const retries: string[] = [];
  const confab = clientAt(baseUrl, {
    clock: createTestClock(),
    hooks: { onRetry: ({ reason }) => void retries.push(reason) },
  });

  const error = await errorOf(confab.leads.create({ phone }), ConnectionError);

  const reason = `connect ECONNREFUSED ${new URL(baseUrl).host}`;
  expect(error.message).toBe(
    `leads.create was not sent: nothing accepts connections at ${baseUrl} (${reason}), in 4 attempts.`,
  );
  expect(error).toMatchObject({ attempts: 4, operation: 'leads.create', mayHaveActed: false });
  expect(retries).toEqual(['connection', 'connection', 'connection']);
});

test.each([
  ['a refused connection', within(failed('connect', 'ECONNREFUSED'))],
  ['refused connections to each address', each(coded('ECONNREFUSED'), coded('ECONNREFUSED'))],
  // undici#2777
  [
    'different failures for the addresses',
    each(failed('connect', 'ETIMEDOUT'), failed('connect', 'ENETUNREACH')),
  ],
  ['an address that cannot be reached', within(failed('connect', 'EHOSTUNREACH'))],
  ['a reset while connecting', within(failed('connect', 'ECONNRESET'))],
  ['a timeout of connecting', within(coded('UND_ERR_CONNECT_TIMEOUT', 'Connect Timeout Error'))],
  // undici#2182
  ['a timeout of connecting in Node 20', within(coded('ERR_SOCKET_CONNECTION_TIMEOUT'))],
  ['a name that is unknown', within(failed('getaddrinfo', 'ENOTFOUND'))],
  ['a resolver of its own', within(failed('queryA', 'ENODATA'))],
  ['a proxy that was not reached over TLS', within(coded('UND_ERR_PRX_TLS'))],
  ['axios', copied(failed('connect', 'ETIMEDOUT'))],
  ['node-fetch', coded('ENETUNREACH', 'request failed', { erroredSysCall: 'connect' })],
  ['Bun', bun('ECONNREFUSED', 'ECONNREFUSED: Unable to connect. Is the computer able to access the url?')],
  ['Bun 1.3', bun('ConnectionRefused', 'Unable to connect. Is the computer able to access the url?')],
  [
    'Bun 1.3, for an address that cannot be reached',
    bun('FailedToOpenSocket', 'Was there a typo in the url or port?'),
  ],
  // bun#31949
  [
    'Bun 1.3, for a reset before TLS is up',
    bun('UNKNOWN_CERTIFICATE_VERIFICATION_ERROR', 'unknown certificate verification error'),
  ],
  [
    'a certificate at one of two addresses, where another refused',
    each(coded('CERT_HAS_EXPIRED'), failed('connect', 'ECONNREFUSED')),
  ],
  ['Deno', deno('(Connect): tcp connect error: Connection refused (os error 111)')],
  ['Deno, for an unknown name', deno('(Connect): dns error: failed to lookup address information')],
  ['Deno, for a reset before TLS is up', deno('(Connect): Connection reset by peer (os error 104)')],
  ['Deno, for a close before TLS is up', deno('(Connect): tls handshake eof')],
])('a POST is retried, without a warning, when no connection was made: %s', async (_, error) => {
  const { confab, sent } = meet([error]);
  expect(await confab.leads.create({ phone })).toEqual(lead);
  expect(sent()).toBe(2);
  const failing = meet([error], { retry: false });
  const { message } = await errorOf(failing.confab.leads.create({ phone }), ConnectionError);
  expect(message).toMatch(/^leads\.create was not sent: .*https:\/\/api\.example\.com .*\.$/);
  // The reason that Deno gives, without the URL at its beginning.
  expect(message).not.toContain('error sending request');
  expect(message).not.toContain(DOUBT);
});

test.each<readonly [string, Error]>([
  ['a certificate of its own', within(coded('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'))],
  ['a certificate of another host', within(coded('ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname does not match'))],
  ['a certificate, through node-fetch', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
  ['a certificate, in Deno', deno('(Connect): invalid peer certificate: UnknownIssuer')],
  ...[
    'CERT_REVOKED',
    'INVALID_PURPOSE',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'ERR_SSL_PACKET_LENGTH_TOO_LONG',
    'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE',
    'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION',
    'ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED',
  ].map((code) => [code, within(coded(code))] as const),
  ...['wrong version number', 'sslv3 alert handshake failure', 'tlsv1 alert protocol version'].map(
    (reason) => [`a failed handshake, through node:https: ${reason}`, copied(brokenTls(reason))] as const,
  ),
  [
    'a failed handshake, in Bun',
    bun('EPROTO', 'EPROTO: The TLS handshake failed. Does the server speak TLS on this port?'),
  ],
  ['a failed handshake, in Deno', deno('(Connect): received fatal alert: ProtocolVersion')],
  ['no TLS at all, in Deno', deno('(Connect): received corrupt message of type InvalidContentType')],
  ['a blocked port, in Deno', new TypeError('Fetch failed: Requests to port 6000 are blocked')],
  [
    'no permission, in Deno',
    new Error('Requires net access to "api.example.com:443", run again with the --allow-net flag'),
  ],
  ['no permission, in Node', within(coded('ERR_ACCESS_DENIED', 'Access to this API has been restricted'))],
])('a lasting failure is not retried, and the error says that nothing was sent: %s', async (_, error) => {
  const { confab, sent } = meet([error, error]);
  for (const call of [confab.leads.create({ phone }), confab.leads.get(ids.lead)]) {
    const { message, attempts } = await errorOf(call, ConnectionError);
    expect(message).toMatch(/^leads\.\w+ was not sent: .*https:\/\/api\.example\.com.*\.$/);
    expect(message).not.toContain(DOUBT);
    expect(attempts).toBe(1);
  }
  expect(sent()).toBe(2);
});

test.each<readonly [string, Error]>([
  ['a connection that was reset', within(failed('read', 'ECONNRESET'))],
  ['a connection that was closed', within(coded('UND_ERR_SOCKET', 'other side closed'))],
  ['a broken record of TLS', within(coded('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC'))],
  ['an EPROTO without a reason', copied(failed('write', 'EPROTO'))],
  ['a broken record of TLS, through node:https', copied(brokenTls('sslv3 alert bad record mac'))],
  ['a timeout of reading', within(coded('UND_ERR_HEADERS_TIMEOUT', 'Headers Timeout Error'))],
  ['a timeout of axios', coded('ETIMEDOUT', 'timeout of 1000ms exceeded')],
  ['a reset at one of two addresses', each(failed('connect', 'ECONNREFUSED'), failed('read', 'ECONNRESET'))],
  [
    'a refused connection that a reset was caused by',
    within(coded('ECONNRESET', 'reset', { cause: coded('ECONNREFUSED') })),
  ],
  ['a close, in Bun', bun('ECONNRESET', 'ECONNRESET: The socket connection was closed unexpectedly.')],
  ['a close, in Deno', deno('(SendRequest): connection closed before message completed')],
  ['a reset, in Deno', within(new Error('Connection reset by peer (os error 104)'))],
  ...['constructor', 'toString', '__proto__'].map(
    (code) => [`the code ${code}`, within(coded(code))] as const,
  ),
])('a POST that may have been sent is not retried, and the error says so: %s', async (_, error) => {
  const { confab, sent } = meet([error]);
  const { message } = await errorOf(confab.leads.create({ phone }), ConnectionError);
  expect(message).toContain(DOUBT);
  expect(sent()).toBe(1);
});

test('the error names a port that fetch blocks, and the call is not retried', async () => {
  const error = await errorOf(
    clientAt('http://127.0.0.1:6000', { clock: createTestClock() }).leads.create({ phone }),
    ConnectionError,
  );
  expect(error.message).toBe(
    'leads.create was not sent: `fetch` refuses the port of http://127.0.0.1:6000, which browsers block (bad port).',
  );
  expect(error).toMatchObject({ attempts: 1 });
});

test.each([
  ['sent', 'error sending request for url (URL): client error (SendRequest): connection closed'],
  ['not sent', 'ERR_TLS_CERT_ALTNAME_INVALID fetching "URL"'],
])('an error leaves out the query of a URL that its cause quotes: %s', async (_, text) => {
  const confab = clientWith({
    fetch: async (url) => {
      throw bun(/^\w*/.exec(text)?.[0] ?? '', text.replace('URL', url));
    },
    retry: false,
  });
  const error = await errorOf(confab.leads.list({ search: 'Ana Souza' }), ConnectionError);
  expect(error.message).toContain('https://api.example.com/api/v2/public/leads');
  expect(inspect(error)).not.toContain('Souza');
});

test.each([
  ['ky', {}],
  ['a ky instance that returns a different error', { hooks: { beforeError: [() => new Error('no luck')] } }],
])('a refused connection is retried through %s too', async (_, options) => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const confab = clientAt(baseUrl, { clock: createTestClock(), fetch: kyFetch(ky.create(options)) });
  const error = await errorOf(confab.leads.create({ phone }), ConnectionError);
  expect(error.message).toContain(
    `was not sent: nothing accepts connections at ${baseUrl} (connect ECONNREFUSED`,
  );
});

test('if an earlier attempt was sent, the error of an unsent one says that the service may have acted', async () => {
  const { confab } = meet([within(coded('ECONNRESET')), within(failed('connect', 'ECONNREFUSED'))], {
    retry: { nonIdempotent: true, limit: 1 },
  });
  const { message } = await errorOf(confab.leads.create({ phone }), ConnectionError);
  expect(message).toBe(
    'leads.create was not sent again: nothing accepts connections at https://api.example.com (connect ECONNREFUSED), in 2 attempts. The lead may have been created: leads.ensure is safe to retry.',
  );
});

/** Starts a TCP server that does the same with each connection; returns its origin and the number of connections. */
const startTcp = async (scheme: string, treat: (socket: Socket) => void) => {
  const server = { baseUrl: '', connections: 0 };
  const port = await listenTcp(
    createServer((socket) => {
      server.connections += 1;
      socket.on('error', () => {});
      treat(socket);
    }),
  );
  server.baseUrl = `${scheme}://127.0.0.1:${port}`;
  return server;
};

test('the error says that the server does not speak TLS, and the call is not retried', async () => {
  const server = await startTcp('https', (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')),
  );
  const confab = clientAt(server.baseUrl, { clock: createTestClock() });

  const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);

  expect(error.message).toBe(
    `leads.get was not sent: TLS with ${server.baseUrl} failed, perhaps because the server speaks http (ERR_SSL_WRONG_VERSION_NUMBER).`,
  );
  expect(server.connections).toBe(1);
});

test('a POST is retried when the connection is closed before the TLS handshake ends', async () => {
  const server = await startTcp('https', (socket) => socket.once('data', () => socket.end()));
  const confab = clientAt(server.baseUrl, { clock: createTestClock() });

  const error = await errorOf(confab.leads.create({ phone }), ConnectionError);

  expect(error.message).toBe(
    `leads.create was not sent: no connection to ${server.baseUrl} could be made (ECONNRESET: Client network socket disconnected before secure TLS connection was established), in 4 attempts.`,
  );
  expect(server.connections).toBe(4);
});

test('a 407 throws an error of the response, although Node’s fetch hides it', async () => {
  const statuses: number[] = [];
  const url = await listen((_, response) => {
    response.writeHead(407, { 'proxy-authenticate': 'Basic' }).end('No');
  });
  const confab = clientAt(url, {
    clock: createTestClock(),
    hooks: { onResponse: ({ status }) => void statuses.push(status) },
  });

  const error = await errorOf(confab.leads.get(ids.lead), ApiError);

  expect(error).toMatchObject({ status: 407, code: 'HTTP_407', attempts: 1 });
  expect(error.message).toBe('leads.get failed with 407: a proxy asks for credentials');
  expect(statuses).toEqual([407]);
});
