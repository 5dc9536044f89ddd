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

/** A receiver whose handler waits until it is let go. */
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

/** Serves a node handler, and gives what it came to; a guard may answer before it. */
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

test.each<[title: string, answer: (response: ServerResponse) => void]>([
  ['answered', (response) => void response.writeHead(503).end('{"error":"late"}')],
  ['begun to answer', (response) => void response.writeHead(503).write('{"error":"late"}')],
  ['sent the headers', (response) => void response.writeHead(503).flushHeaders()],
])('node:http: a time guard that has %s is left alone', async (_, answer) => {
  const { webhooks, started, finish } = slowReceiver();
  const { promise: guarded, resolve } = Promise.withResolvers<ServerResponse>();
  const { server, outcome } = await serveNode(webhooks, (_, response) => resolve(response));
  await using _server = server;
  const request = httpRequest({ host: '127.0.0.1', port: server.port, method: 'POST', headers }).end(text);
  request.on('error', () => {});
  await started;
  const response = await guarded;
  answer(response);
  const [incoming] = (await once(request, 'response')) as [IncomingMessage];
  finish();
  expect(await outcome).toBe('resolved');
  response.end();
  await readText(incoming);
  expect([incoming.statusCode, incoming.complete, warnings]).toEqual([503, true, []]);
});

test('node:http: a response that was destroyed meanwhile, and a sender that went away, are left alone', async () => {
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

test('node:http: a response that throws ends the connection with a warning, not the process', async () => {
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

test('node:http and Lambda: a receiver that rejects is answered 500', async () => {
  const webhooks: Receiver = { receive: () => Promise.reject(new Error('broken')) };
  const { server, outcome } = await serveNode(webhooks, () => {});
  await using _server = server;
  expect(await send(server, text, headers)).toMatchObject({ status: 500 });
  expect(await outcome).toBe('resolved');
  expect(await toLambdaHandler(webhooks)({ httpMethod: 'POST' })).toMatchObject({ statusCode: 500 });
  await eventually(() => expect(warnings).toEqual([new Error('broken'), new Error('broken')]));
});

test('Fastify: a hook that has answered meanwhile is left alone', async () => {
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
  const answer = await app.inject({ method: 'POST', url: '/', payload: text, headers });
  expect([answer.statusCode, answer.json()]).toEqual([503, { error: 'late' }]);
  await app.close();
  expect(logged).toEqual([]);
});

test.each(['node:http', 'Fastify'] as const)(
  '%s: an upload that is broken off is BODY_ABORTED with a 4xx status, and the server lives on',
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
  '%s: a sender that waits for "100 Continue" is told to go on, or of its refusal',
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
  ['a method in lower case', { httpMethod: 'post' }, 405],
  ['a method that is no text', { httpMethod: 5 }, 405],
  ['requestContext null', { requestContext: null }, 405],
  ['requestContext.http null', { requestContext: { http: null } }, 405],
  ['headers null', { httpMethod: 'POST', headers: null, body: text }, 401],
  ['headers that are no texts', { httpMethod: 'POST', headers: { 'x-sig': 5 }, body: text }, 401],
  [
    'no multi-value headers, but headers',
    { httpMethod: 'POST', multiValueHeaders: {}, headers, body: text },
    200,
  ],
  ['multi-value headers null', { httpMethod: 'POST', multiValueHeaders: null, headers, body: text }, 200],
  [
    'two signatures, of which headers keeps one',
    {
      httpMethod: 'POST',
      multiValueHeaders: { 'x-sig': [signed['x-sig'], 'other'] },
      headers,
      body: text,
    },
    401,
  ],
  ['body null', { httpMethod: 'POST', headers, body: null }, 401],
  ['no body, said to be base64', { httpMethod: 'POST', headers, body: null, isBase64Encoded: true }, 401],
  [
    'a body that is not the base64 it says',
    { httpMethod: 'POST', headers, body: '%', isBase64Encoded: true },
    500,
  ],
  ['base64 cut short', { httpMethod: 'POST', headers, body: 'abcde', isBase64Encoded: true }, 500],
  ['a parsed body', { httpMethod: 'POST', headers, body: { event: 'x' } }, 500],
  ['a body above the limit', { httpMethod: 'POST', headers, body: 'x'.repeat(1_048_577) }, 413],
])('Lambda: %s is answered', async (_, event, statusCode) => {
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
])('Fastify: a content type of %j reaches the receiver, and handlers see it as it came', async (type) => {
  const webhooks = createWebhooks({ secret, signature });
  const types: (string | null)[] = [];
  webhooks.on('message.created', (_, context) => types.push(context.headers.get('content-type')));
  const app = fastify();
  app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
  await app.ready();
  await using server = await listen(app.routing);
  expect(await send(server, text, { ...headers, 'content-type': type })).toMatchObject({ status: 200 });
  expect(types).toEqual([type]);
});

test('Fastify: a body without a content type reaches the receiver', async () => {
  const webhooks = createWebhooks({ secret, signature });
  const app = fastify();
  app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
  await app.ready();
  await using server = await listen(app.routing);
  expect(await send(server, text, signed)).toMatchObject({ status: 200 });
});
