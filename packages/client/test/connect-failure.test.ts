import { createServer } from 'node:net';
import { freePort, listen, listenTcp } from '@confab/internal/test-support';
import { expect, test } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { ApiError, ConnectionError } from '../src/index.ts';
import { kyFetch } from '../src/ky/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';

const phone = '+5511987654321';
const DOUBT = 'The service may have acted';

const coded = (code: string, message = `connect ${code}`) => Object.assign(new Error(message), { code });
const within = (cause: Error) => new TypeError('fetch failed', { cause });
const each = (...errors: Error[]) =>
  within(Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' }));

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

test('a POST is repeated when nothing accepts connections, and the error says that nothing was sent', async () => {
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
  expect(error).toMatchObject({ attempts: 4, operation: 'leads.create' });
  expect(retries).toEqual(['connection', 'connection', 'connection']);
});

test.each([
  ['a refused connection', within(coded('ECONNREFUSED'))],
  ['refused connections to each address of a name', each(coded('ECONNREFUSED'), coded('ECONNREFUSED'))],
  ['a name that is unknown', within(coded('ENOTFOUND', 'getaddrinfo ENOTFOUND api.example.com'))],
  ['a name server that does not respond', within(coded('EAI_AGAIN'))],
  ['Bun', coded('ECONNREFUSED', 'Unable to connect. Is the computer able to access the url?')],
  [
    'Deno',
    within(
      new Error(
        'error sending request for url (https://api.example.com/): client error (Connect): tcp connect error: Connection refused (os error 111)',
      ),
    ),
  ],
])('a POST is repeated after %s', async (_, error) => {
  const { confab, sent } = meet([error]);
  expect(await confab.leads.create({ phone })).toEqual(lead);
  expect(sent()).toBe(2);
  const failing = meet([error], { retry: false });
  const { message } = await errorOf(failing.confab.leads.create({ phone }), ConnectionError);
  expect(message).toMatch(
    /^leads\.create was not sent: (?:nothing accepts connections at|the name of) https:\/\/api\.example\.com/,
  );
  expect(message).not.toContain(DOUBT);
});

test.each([
  ['a connection that was reset', within(coded('ECONNRESET'))],
  ['a connection that timed out', within(coded('ETIMEDOUT'))],
  [
    'a network that is unreachable at one of two addresses',
    each(coded('ECONNREFUSED'), coded('ENETUNREACH')),
  ],
  [
    'Deno, after the connection was made',
    within(
      new Error(
        'error sending request from 127.0.0.1:1 for https://api.example.com/ (127.0.0.1:2): client error (SendRequest): connection closed before message completed',
      ),
    ),
  ],
])('a POST is not repeated after %s', async (_, error) => {
  const { confab, sent } = meet([error]);
  const { message } = await errorOf(confab.leads.create({ phone }), ConnectionError);
  expect(message).toContain(DOUBT);
  expect(sent()).toBe(1);
});

test.each<[string, Error]>([
  ['a fetch with a mistake in it', new TypeError('init.headers.forEeach is not a function')],
  ['a fetch with a misspelled name', new ReferenceError('dispacher is not defined')],
])('an error that every attempt would meet is thrown at once: %s', async (_, reason) => {
  const { confab, sent } = meet([reason, reason]);
  const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);
  expect(error).toMatchObject({ attempts: 1, code: 'CONNECTION_FAILED' });
  expect(error.message).toContain(((reason.cause ?? reason) as Error).message);
  expect((await errorOf(confab.leads.create({ phone }), ConnectionError)).message).not.toContain(DOUBT);
  expect(sent()).toBe(2);
});

test('the error names a port that fetch blocks, and the call is not repeated', async () => {
  const error = await errorOf(
    clientAt('http://127.0.0.1:6000', { clock: createTestClock() }).leads.create({ phone }),
    ConnectionError,
  );
  expect(error.message).toBe(
    'leads.create was not sent: `fetch` refuses the port of http://127.0.0.1:6000, which browsers block.',
  );
  expect(error).toMatchObject({ attempts: 1 });
});

test('a refused connection to a proxy is not taken for one to the service', async () => {
  const { confab } = meet([within(coded('ECONNREFUSED', 'connect ECONNREFUSED 10.0.0.7:3128'))], {
    retry: false,
  });
  const { message } = await errorOf(confab.leads.get(ids.lead), ConnectionError);
  expect(message).toBe(
    'leads.get was not sent: nothing accepts connections at https://api.example.com (connect ECONNREFUSED 10.0.0.7:3128).',
  );
});

test('through ky, a refused connection is repeated too', async () => {
  const baseUrl = `http://127.0.0.1:${await freePort()}`;
  const confab = clientAt(baseUrl, { clock: createTestClock(), fetch: kyFetch() });
  const error = await errorOf(confab.leads.create({ phone }), ConnectionError);
  expect(error.message).toContain(
    `was not sent: nothing accepts connections at ${baseUrl} (connect ECONNREFUSED`,
  );
});

test('after an earlier attempt that was sent, the error says that the service may have acted', async () => {
  const { confab } = meet([within(coded('ECONNRESET')), within(coded('ECONNREFUSED'))], {
    retry: { nonIdempotent: true, limit: 1 },
  });
  const { message } = await errorOf(confab.leads.create({ phone }), ConnectionError);
  expect(message).toBe(
    'leads.create was not sent again: nothing accepts connections at https://api.example.com (connect ECONNREFUSED), in 2 attempts. The service may have acted: check before you send it again.',
  );
});

test('the error says that a server does not speak TLS, and the call is not repeated', async () => {
  let connections = 0;
  const plain = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'));
  });
  const baseUrl = `https://127.0.0.1:${await listenTcp(plain)}`;
  const confab = clientAt(baseUrl, { clock: createTestClock() });

  const error = await errorOf(confab.leads.get(ids.lead), ConnectionError);

  expect(error.message).toBe(
    `leads.get was not sent: the server at ${baseUrl} does not speak TLS. Is it http?`,
  );
  expect(connections).toBe(1);
});

test('a 407 is a response like any other, although Node’s fetch hides it', async () => {
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
