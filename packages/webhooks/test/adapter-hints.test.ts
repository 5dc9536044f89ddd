import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:http2';
import { eventually } from '@confab/internal/test-support';
import { createWebhooks, sign, WebhookError } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import type { LambdaEvent } from '@confab/webhooks/lambda';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';
import express from 'express';
import express4 from 'express4';
import fastify from 'fastify';
import { expect, test, vi } from 'vitest';
import { listen, send } from './support/hosts.ts';

const secret = 'a secret of the test';
const signature = { header: 'x-sig' };
const text = JSON.stringify({
  event: 'message.created',
  data: { conversationId: 'c1', channel: 'web', body: 'Hello' },
});
const headers = { ...(await sign(text, { secret, signature })), 'content-type': 'application/json' };

const receiver = () => {
  const webhooks = createWebhooks({ secret, signature });
  const seen: unknown[] = [];
  webhooks.on('message.created', ({ data }) => seen.push(data.body));
  webhooks.onError((error) => seen.push(error));
  return { webhooks, seen };
};

const expectHint = (seen: unknown[], hint: RegExp) => {
  expect(seen).toHaveLength(1);
  expect(seen[0]).toBeInstanceOf(WebhookError);
  expect(seen[0]).toMatchObject({ code: 'BODY_NOT_RAW', message: expect.stringMatching(hint) });
};

test.each([
  ['Express 5', express],
  ['Express 4', express4],
])('%s: a body that express.json() parsed is refused at once with a hint', async (_, framework) => {
  const { webhooks, seen } = receiver();
  const app = framework().use(framework.json()).post('/webhooks', toNodeHandler(webhooks));
  await using server = await listen(app);
  expect(await send(server, text, headers)).toMatchObject({ status: 500, json: { error: 'BODY_NOT_RAW' } });
  expectHint(seen, /before express\.json\(\)/);
});

test.each([
  ['Express 5', express],
  ['Express 4', express4],
])('%s: a body that express.json() skipped is read', async (_, framework) => {
  const { webhooks, seen } = receiver();
  const app = framework().use(framework.json()).post('/webhooks', toNodeHandler(webhooks));
  await using server = await listen(app);
  const other = { ...headers, 'content-type': 'application/octet-stream' };
  expect((await send(server, text, other)).status).toBe(200);
  expect(seen).toEqual(['Hello']);
});

test('Express: the raw body that a parser kept is used', async () => {
  const { webhooks, seen } = receiver();
  const keepRaw = express.json({ verify: (request, _, raw) => Object.assign(request, { rawBody: raw }) });
  await using server = await listen(express().post('/webhooks', keepRaw, toNodeHandler(webhooks)));
  expect((await send(server, text, headers)).status).toBe(200);
  expect(seen).toEqual(['Hello']);
});

test.each([
  ['a Buffer', Buffer.from(text), 200, 'Hello'],
  ['a string', text, 200, 'Hello'],
  ['an object', JSON.parse(text), 500, expect.objectContaining({ code: 'BODY_NOT_RAW' })],
])(
  'a test double that is no stream, as of node-mocks-http, is read when its body is raw: %s',
  async (_, body, status, outcome) => {
    const { webhooks, seen } = receiver();
    const request = Object.assign(new EventEmitter(), { method: 'POST', headers, body });
    const writeHead = vi.fn();
    const response = Object.assign(new EventEmitter(), { writeHead, end: vi.fn() });
    await toNodeHandler(webhooks)(
      request as unknown as IncomingMessage,
      response as unknown as ServerResponse,
    );
    await eventually(() => expect(seen).toEqual([outcome]));
    expect(writeHead).toHaveBeenCalledExactlyOnceWith(status, expect.anything());
  },
);

test('Express: a drained body is refused at once', async () => {
  const { webhooks, seen } = receiver();
  const app = express().post(
    '/webhooks',
    (request, _, next) => request.resume().once('end', next),
    toNodeHandler(webhooks),
  );
  await using server = await listen(app);
  expect((await send(server, text, headers)).status).toBe(500);
  expectHint(seen, /The body is undefined/);
});

test('Fastify: the plugin and the rest of the app parse bodies independently', async () => {
  const { webhooks, seen } = receiver();
  const app = fastify();
  app.register(fastifyWebhooks, { webhooks, prefix: '/hooks', path: '/in' });
  app.post('/echo', async (request) => ({ parsed: request.body }));
  const echo = await app.inject({ method: 'POST', url: '/echo', payload: { a: 1 } });
  expect(echo.json()).toEqual({ parsed: { a: 1 } });
  const delivery = await app.inject({ method: 'POST', url: '/hooks/in', payload: text, headers });
  expect([delivery.statusCode, seen]).toEqual([200, ['Hello']]);
  const other = await app.inject({
    method: 'POST',
    url: '/echo',
    payload: 'x',
    headers: { 'content-type': 'text/x' },
  });
  expect(other.statusCode).toBe(415);
  await app.close();
});

test('Fastify: a body that a hook replaced is refused with a hint', async () => {
  const { webhooks, seen } = receiver();
  const app = fastify();
  app.addHook('preValidation', async (request) => {
    request.body = { event: 'message.created' };
  });
  app.register(fastifyWebhooks, { webhooks });
  const response = await app.inject({ method: 'POST', url: '/', payload: text, headers });
  expect(response.statusCode).toBe(500);
  await eventually(() => expect(seen).toHaveLength(1));
  expectHint(seen, /fastify-plugin/);
  await app.close();
});

test('Lambda: a parsed body and invalid base64 are refused with a hint', async () => {
  for (const event of [
    { httpMethod: 'POST', headers, body: JSON.parse(text) as string },
    { httpMethod: 'POST', headers, body: 'not base64!', isBase64Encoded: true },
  ]) {
    const { webhooks, seen } = receiver();
    expect(await toLambdaHandler(webhooks)(event)).toMatchObject({ statusCode: 500 });
    expectHint(seen, /Middy/);
  }
});

test('Lambda: a load balancer, a missing body and a missing method get a response', async () => {
  const { webhooks, seen } = receiver();
  const handler = toLambdaHandler(webhooks);
  const multiValueHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value]]),
  );
  const balanced: LambdaEvent = {
    httpMethod: 'POST',
    multiValueHeaders,
    body: text,
    requestContext: { elb: {} },
  };
  expect(await handler(balanced)).toMatchObject({ statusCode: 200 });
  expect(seen).toEqual(['Hello']);
  expect(await handler({ httpMethod: 'POST', headers: null, body: null })).toMatchObject({ statusCode: 401 });
  expect(await handler({})).toMatchObject({ statusCode: 405 });
});

test('the signal of the handler aborts when the sender disconnects', async () => {
  for (const framework of ['node:http', 'Fastify'] as const) {
    const webhooks = createWebhooks({ secret, signature });
    const app = fastify();
    app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
    await app.ready();
    await using server = await listen(framework === 'Fastify' ? app.routing : toNodeHandler(webhooks));
    const { promise: reason, resolve } = Promise.withResolvers<unknown>();
    webhooks.on('message.created', async (_, { signal }) => {
      request.destroy();
      await once(signal, 'abort');
      resolve(signal.reason);
    });
    const request = httpRequest({
      host: '127.0.0.1',
      port: server.port,
      path: '/webhooks',
      method: 'POST',
      headers,
    });
    request.on('error', () => {}).end(text);
    expect(await reason).toEqual(new Error('The sender disconnected before the response.'));
  }
});

test('a connection with an unread body closes after the response', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  await using server = await listen(toNodeHandler(webhooks));
  const closed = await send(server, 'x'.repeat(11), {});
  expect([closed.status, closed.headers.connection]).toEqual([413, 'close']);
  const kept = await send(server, 'x', { connection: 'keep-alive' });
  expect([kept.status, kept.headers.connection]).toEqual([401, 'keep-alive']);
});

test('a half-read request keeps its socket, which access logs need', async () => {
  const webhooks = createWebhooks({ secret, signature, maxBodyBytes: 10 });
  const handle = toNodeHandler(webhooks);
  const after: unknown[] = [];
  await using server = await listen(async (request, response) => {
    await handle(request, response);
    after.push(request.destroyed, request.socket?.remoteAddress);
  });
  expect((await send(server, 'x'.repeat(11), { 'transfer-encoding': 'chunked' })).status).toBe(413);
  expect(after).toEqual([false, '127.0.0.1']);
});

test.each(['node:http', 'Fastify'])(
  '%s: a repeated header that node:http would drop is detected',
  async (framework) => {
    const webhooks = createWebhooks({ secret, signature: { header: 'authorization' } });
    const app = fastify();
    app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
    await app.ready();
    await using server = await listen(framework === 'Fastify' ? app.routing : toNodeHandler(webhooks));
    const { authorization = '' } = await sign(text, { secret, signature: { header: 'authorization' } });
    expect(await send(server, text, { authorization })).toMatchObject({ status: 200 });
    const twice = Object.fromEntries([['authorization', [authorization, authorization]]]);
    const repeated = await send(server, text, twice);
    expect(repeated.json).toEqual({ error: 'AMBIGUOUS_SIGNATURE' });
  },
);

test('Fastify over HTTP/2: a delivery is accepted, and an oversized one gets a 413', async () => {
  const { webhooks, seen } = receiver();
  const app = fastify({ http2: true });
  app.register(fastifyWebhooks, { webhooks });
  const client = connect(await app.listen({ port: 0, host: '127.0.0.1' }));
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on('warning', warn);
  const post = async (body: string) => {
    const request = client.request({ ':method': 'POST', ...headers }).end(body);
    const [response] = await once(request, 'response');
    request.destroy();
    return response[':status'];
  };
  expect(await post(text)).toBe(200);
  expect(await post('x'.repeat(1_048_577))).toBe(413);
  expect(seen).toEqual(['Hello', expect.objectContaining({ code: 'BODY_TOO_LARGE' })]);
  client.destroy();
  await app.close();
  process.off('warning', warn);
  expect(warnings).toEqual([]);
});
