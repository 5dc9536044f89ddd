import { once } from 'node:events';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { eventually } from '@confab/internal/test-support';
import type { Receiver } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import type { LambdaEvent } from '@confab/webhooks/lambda';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';
import fastify from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listen, send } from './support/hosts.ts';

const secret = 'a secret of the test';
const signature = { header: 'x-sig' };
const text = JSON.stringify({
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
});
const signed = await sign(text, { secret, signature });
const headers = { ...signed, 'content-type': 'application/json' };

const failures: unknown[] = [];
const note = (reason: unknown) => failures.push(reason);
const warnings: Error[] = [];
const warn = (warning: Error) => warnings.push(warning);
beforeEach(() => {
  failures.length = 0;
  warnings.length = 0;
  process.on('unhandledRejection', note).on('uncaughtException', note).on('warning', warn);
});
afterEach(async () => {
  await new Promise(setImmediate);
  process.off('unhandledRejection', note).off('uncaughtException', note).off('warning', warn);
  expect(failures).toEqual([]);
});

/** Creates a receiver whose handler waits for `finish()`. */
const slowReceiver = () => {
  const webhooks = createWebhooks({ secret, signature });
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  webhooks.on('message.created', async () => {
    started.resolve();
    await finish.promise;
  });
  return { webhooks, started: started.promise, finish: finish.resolve };
};

/** Serves a node handler and reports its outcome. A guard may respond first. */
const serveNode = async (
  webhooks: Receiver,
  guard: (request: IncomingMessage, response: ServerResponse) => void,
) => {
  const { promise: outcome, resolve } = Promise.withResolvers<string>();
  const handle = toNodeHandler(webhooks);
  const listener: RequestListener = (request, response) => {
    guard(request, response);
    handle(request, response).then(
      () => resolve('resolved'),
      (error) => resolve(`rejected: ${error}`),
    );
  };
  return { server: await listen(listener), outcome };
};

test.each<[title: string, respond: (response: ServerResponse) => void]>([
  ['responded', (response) => void response.writeHead(503).end('{"error":"late"}')],
  ['started to respond', (response) => void response.writeHead(503).write('{"error":"late"}')],
  ['sent the headers', (response) => void response.writeHead(503).flushHeaders()],
])('node:http: the response of a timeout guard that has %s is not touched', async (_, respond) => {
  const { webhooks, started, finish } = slowReceiver();
  const { promise: guarded, resolve } = Promise.withResolvers<ServerResponse>();
  const { server, outcome } = await serveNode(webhooks, (_, response) => resolve(response));
  await using _server = server;
  const request = httpRequest({ host: '127.0.0.1', port: server.port, method: 'POST', headers }).end(text);
  request.on('error', () => {});
  await started;
  const response = await guarded;
  respond(response);
  const [incoming] = (await once(request, 'response')) as [IncomingMessage];
  finish();
  expect(await outcome).toBe('resolved');
  response.end();
  await readText(incoming);
  expect([incoming.statusCode, incoming.complete, warnings]).toEqual([503, true, []]);
});

test('node:http: a destroyed response and a disconnected sender cause no error', async () => {
  for (const leave of [
    (response: ServerResponse) => response.destroy(),
    (response: ServerResponse) => response.socket?.destroy(),
  ]) {
    const { webhooks, started, finish } = slowReceiver();
    const { promise: guarded, resolve } = Promise.withResolvers<ServerResponse>();
    const { server, outcome } = await serveNode(webhooks, (_, response) => resolve(response));
    await using _server = server;
    const request = httpRequest({ host: '127.0.0.1', port: server.port, method: 'POST', headers }).end(text);
    request.on('error', () => {});
    await started;
    leave(await guarded);
    finish();
    expect(await outcome).toBe('resolved');
  }
});

test('node:http: a response that throws closes the connection with a warning and does not end the process', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const { server, outcome } = await serveNode(webhooks, (_, response) => {
    response.writeHead = () => {
      throw new Error('a wrapper of the response failed');
    };
  });
  await using _server = server;
  const request = httpRequest({ host: '127.0.0.1', port: server.port, method: 'POST', headers }).end(text);
  await expect(once(request, 'response')).rejects.toThrow(/hang up|reset/);
  expect(await outcome).toBe('resolved');
  expect(warnings).toEqual([new Error('a wrapper of the response failed')]);
});

test('node:http and Lambda: a receiver that rejects causes a 500', async () => {
  const webhooks: Receiver = { receive: () => Promise.reject(new Error('broken')) };
  const { server, outcome } = await serveNode(webhooks, () => {});
  await using _server = server;
  expect(await send(server, text, headers)).toMatchObject({ status: 500 });
  expect(await outcome).toBe('resolved');
  expect(await toLambdaHandler(webhooks)({ httpMethod: 'POST' })).toMatchObject({ statusCode: 500 });
  await eventually(() => expect(warnings).toEqual([new Error('broken'), new Error('broken')]));
});

test('Fastify: the reply of a hook during the delivery is not touched', async () => {
  const { webhooks, started, finish } = slowReceiver();
  const logged: string[] = [];
  const app = fastify({ logger: { level: 'warn', stream: { write: (line) => void logged.push(line) } } });
  app.addHook('onRequest', async (_, reply) => {
    void started.then(() => {
      reply.code(503).send({ error: 'late' });
      finish();
    });
  });
  app.register(fastifyWebhooks, { webhooks });
  const response = await app.inject({ method: 'POST', url: '/', payload: text, headers });
  expect([response.statusCode, response.json()]).toEqual([503, { error: 'late' }]);
  await app.close();
  expect(logged).toEqual([]);
});

test.each(['node:http', 'Fastify'] as const)(
  '%s: an incomplete upload is refused with BODY_ABORTED, and the server keeps running',
  async (framework) => {
    const webhooks = createWebhooks({ secret, signature });
    const { promise: reported, resolve } = Promise.withResolvers<unknown>();
    webhooks.onError(resolve);
    const app = fastify();
    app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
    await app.ready();
    await using server = await listen(framework === 'Fastify' ? app.routing : toNodeHandler(webhooks));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"event"', () =>
      socket.destroy(),
    );
    expect(await reported).toMatchObject({ code: 'BODY_ABORTED', status: 400 });
    expect((await send(server, text, headers)).status).toBe(200);
  },
);

test.each(['node:http', 'Fastify'] as const)(
  '%s: a sender that waits for "100 Continue" gets it, or its refusal',
  async (framework) => {
    const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 1000 });
    const app = fastify();
    app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
    await app.ready();
    await using server = await listen(framework === 'Fastify' ? app.routing : toNodeHandler(webhooks));
    const expecting = { ...headers, expect: '100-continue', 'content-length': text.length };
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: '/webhooks',
      method: 'POST',
      headers: expecting,
    });
    request.flushHeaders();
    await once(request, 'continue');
    request.end(text);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect([response.statusCode, await readText(response)]).toEqual([200, '{"ok":true}']);
    const large = connect(server.port, '127.0.0.1');
    large.write('POST /webhooks HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1001\r\n\r\n');
    expect(await readText(large)).toContain('413');
  },
);

test.each<[title: string, event: unknown, statusCode: number]>([
  ['nothing', undefined, 405],
  ['null', null, 405],
  ['an empty event', {}, 405],
  ['a lowercase method', { httpMethod: 'post' }, 405],
  ['a method that is not a string', { httpMethod: 5 }, 405],
  ['requestContext null', { requestContext: null }, 405],
  ['requestContext.http null', { requestContext: { http: null } }, 405],
  ['headers null', { httpMethod: 'POST', headers: null, body: text }, 401],
  ['headers that are not strings', { httpMethod: 'POST', headers: { 'x-sig': 5 }, body: text }, 401],
  [
    'headers without multi-value headers',
    { httpMethod: 'POST', multiValueHeaders: {}, headers, body: text },
    200,
  ],
  ['multi-value headers null', { httpMethod: 'POST', multiValueHeaders: null, headers, body: text }, 200],
  [
    'two signatures, one of them in headers',
    {
      httpMethod: 'POST',
      multiValueHeaders: { 'x-sig': [signed['x-sig'], 'other'] },
      headers,
      body: text,
    },
    401,
  ],
  ['a context that is a text', { requestContext: 'POST', headers, body: text }, 405],
  ['body null', { httpMethod: 'POST', headers, body: null }, 401],
  ['no body with the base64 flag', { httpMethod: 'POST', headers, body: null, isBase64Encoded: true }, 401],
  ['a body of invalid base64', { httpMethod: 'POST', headers, body: '%', isBase64Encoded: true }, 500],
  ['truncated base64', { httpMethod: 'POST', headers, body: 'abcde', isBase64Encoded: true }, 500],
  ['a parsed body', { httpMethod: 'POST', headers, body: { event: 'x' } }, 500],
  ['a body above the limit', { httpMethod: 'POST', headers, body: 'x'.repeat(1_048_577) }, 413],
])('Lambda: %s gets a response', async (_, event, statusCode) => {
  const webhooks = createWebhooks({ secret, signature });
  webhooks.on('message.created', () => {});
  expect(await toLambdaHandler(webhooks)(event as LambdaEvent)).toMatchObject({ statusCode });
});

test.each([
  'application/json',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'json',
  '',
  'a/b/c; =',
])(
  'Fastify: a delivery with the content type %j reaches the receiver, and handlers see that type',
  async (type) => {
    const webhooks = createWebhooks({ secret, signature });
    const types: (string | null)[] = [];
    webhooks.on('message.created', (_, context) => types.push(context.headers.get('content-type')));
    const app = fastify();
    app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
    await app.ready();
    await using server = await listen(app.routing);
    expect(await send(server, text, { ...headers, 'content-type': type })).toMatchObject({ status: 200 });
    expect(types).toEqual([type]);
  },
);

test('Fastify: a body without a content type reaches the receiver', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const app = fastify();
  app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
  await app.ready();
  await using server = await listen(app.routing);
  expect(await send(server, text, signed)).toMatchObject({ status: 200 });
});
