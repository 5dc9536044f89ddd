import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { eventually, listen } from '@confab/internal/test-support';
import type { Receiver } from '@confab/webhooks';
import { createWebhooks, sign } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import type { LambdaEvent } from '@confab/webhooks/lambda';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';
import express from 'express';
import express4 from 'express4';
import fastify from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { send, startHost } from './support/hosts.ts';
import { createReceiver, message, secret, signature } from './support/receiver.ts';

const text = JSON.stringify(message);
const signed = await sign(text, { secret, signature });
const headers = { ...signed, 'content-type': 'application/json' };
const accepted = [{ ...message, known: true }];

const warnings: Error[] = [];
const warn = (warning: Error) => warnings.push(warning);
beforeEach(() => {
  warnings.length = 0;
  process.on('warning', warn);
});
afterEach(() => void process.off('warning', warn));

const expectHint = async (errors: readonly unknown[], hint: RegExp) => {
  await eventually(() => expect(errors).toHaveLength(1));
  expect(errors[0]).toMatchObject({ code: 'BODY_NOT_RAW', message: expect.stringMatching(hint) });
};

/** Starts to post a delivery. The test sends the body and reads the response. */
const post = (url: string, more: object = {}) =>
  httpRequest(`${url}/webhooks`, { method: 'POST', headers: { ...headers, ...more } }).on('error', () => {});

/** Opens a connection for requests that a client would not send. */
const connectTo = (url: string) => connect(Number(new URL(url).port), '127.0.0.1');

for (const [name, framework] of [
  ['Express 5', express],
  ['Express 4', express4],
] as const) {
  test(`${name}: a body that express.json() parsed is refused with a hint, and one that it skipped is read`, async () => {
    const { webhooks, handled, errors } = createReceiver();
    const app = framework().use(framework.json()).post('/webhooks', toNodeHandler(webhooks));
    const url = await listen(app);
    const parsed = await send(url, text, headers);
    expect(parsed).toMatchObject({ status: 500, json: { error: 'BODY_NOT_RAW' } });
    await expectHint(errors, /before express\.json\(\).*express\.json\(\{ verify: .*rawBody/);
    const other = { ...headers, 'content-type': 'application/octet-stream' };
    expect([(await send(url, text, other)).status, handled]).toEqual([200, accepted]);
  });
}

test('Express: a raw body that a parser kept is used, and a drained body is refused', async () => {
  const { webhooks, handled, errors } = createReceiver();
  const keepRaw = express.json({ verify: (request, _, raw) => Object.assign(request, { rawBody: raw }) });
  const kept = await listen(express().use(keepRaw, toNodeHandler(webhooks)));
  expect([(await send(kept, text, headers)).status, handled]).toEqual([200, accepted]);
  const drain: express.RequestHandler = (request, _, next) => void request.resume().once('end', next);
  const drained = await listen(express().use(drain, toNodeHandler(webhooks)));
  expect((await send(drained, text, headers)).status).toBe(500);
  await expectHint(errors, /the body is undefined/);
});

test('Express: the bytes that a middleware kept in rawBody are used, even if it left the request empty', async () => {
  const { webhooks, handled } = createReceiver();
  const keep: express.RequestHandler = (request, _, next) => {
    Object.assign(request, { rawBody: Buffer.from(text) });
    request.resume().once('end', next);
  };
  const url = await listen(express().use(keep, toNodeHandler(webhooks)));
  expect([(await send(url, '', headers)).status, handled]).toEqual([200, accepted]);
});

test('Express: express.raw() decompresses a body that was compressed after it was signed', async () => {
  const { webhooks, handled } = createReceiver();
  const url = await listen(express().use(express.raw({ type: '*/*' }), toNodeHandler(webhooks)));
  const compressed = await send(url, gzipSync(text), { ...headers, 'content-encoding': 'gzip' });
  expect([compressed.status, handled]).toEqual([200, accepted]);
});

test.each([
  ['a Buffer', Buffer.from(text), 200],
  ['a string', text, 200],
  ['an object', message, 500],
])(
  'toNodeHandler() reads the raw body of a test double that is not a stream, as of node-mocks-http: %s',
  async (_, body, status) => {
    const request = Object.assign(new EventEmitter(), { method: 'POST', headers, body });
    const response = Object.assign(new EventEmitter(), { writeHead: vi.fn(), end: vi.fn() });
    const handle = toNodeHandler(createReceiver().webhooks) as (...given: object[]) => Promise<void>;
    await handle(request, response);
    expect(response.writeHead).toHaveBeenCalledExactlyOnceWith(status, expect.anything());
  },
);

test('Fastify: the plugin and the rest of the app parse bodies independently', async () => {
  const { webhooks, handled } = createReceiver();
  const app = fastify();
  app.register(fastifyWebhooks, { webhooks, prefix: '/hooks', path: '/in' });
  app.post('/echo', async (request) => ({ parsed: request.body }));
  const inject = (url: string, payload: string | object, more: Record<string, string> = {}) =>
    app.inject({ method: 'POST', url, payload, headers: more });
  expect((await inject('/echo', { a: 1 })).json()).toEqual({ parsed: { a: 1 } });
  expect([(await inject('/hooks/in', text, headers)).statusCode, handled]).toEqual([200, accepted]);
  expect((await inject('/echo', 'x', { 'content-type': 'text/x' })).statusCode).toBe(415);
  await app.close();
});

test('Fastify: a body that a hook replaced is refused with a hint', async () => {
  const { webhooks, errors } = createReceiver();
  const app = fastify().addHook('preValidation', async (request) => {
    request.body = { event: 'message.created' };
  });
  app.register(fastifyWebhooks, { webhooks });
  const response = await app.inject({ method: 'POST', url: '/', payload: text, headers });
  expect(response.statusCode).toBe(500);
  await expectHint(errors, /fastify-plugin/);
  await app.close();
});

/** A receiver whose handler runs until the test ends it. */
const slowReceiver = () => {
  const { webhooks } = createReceiver();
  const started = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<void>();
  webhooks.onAny(() => {
    started.resolve();
    return finish.promise;
  });
  return { webhooks, started: started.promise, finish: finish.resolve };
};

test('Fastify: a reply that a hook sends during the delivery is left alone', async () => {
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

test.each([
  ...['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'],
  ...['json', '', 'a/b/c; =', undefined],
])('Fastify: a delivery of the type %j reaches the receiver, and handlers see that type', async (type) => {
  const { webhooks } = createReceiver();
  const types: (string | null)[] = [];
  webhooks.onAny((_, context) => types.push(context.headers.get('content-type')));
  const url = await startHost('Fastify', webhooks);
  const withType = type === undefined ? signed : { ...signed, 'content-type': type };
  expect(await send(url, text, withType)).toMatchObject({ status: 200 });
  expect(types).toEqual([type ?? null]);
});

test('Fastify over HTTP/2: a delivery needs no content type or length, and an oversized one gets a 413', async () => {
  const { webhooks, errors } = createReceiver();
  const app = fastify({ http2: true });
  app.register(fastifyWebhooks, { webhooks });
  const client = connectHttp2(await app.listen({ port: 0, host: '127.0.0.1' }));
  const statusOf = async (body: string, more: object = headers) => {
    const request = client.request({ ':method': 'POST', ...more }).end(body);
    const [response] = await once(request, 'response');
    request.destroy();
    return response[':status'];
  };
  expect([await statusOf(text), await statusOf('x'.repeat(1_048_577))]).toEqual([200, 413]);
  // HTTP/2 needs neither a content type nor a length.
  const length = { 'content-length': text.length };
  for (const more of [signed, { ...signed, ...length }, { ...headers, ...length }]) {
    expect(await statusOf(text, more)).toBe(200);
  }
  expect(errors).toMatchObject([{ code: 'BODY_TOO_LARGE' }]);
  client.destroy();
  await app.close();
  expect(warnings).toEqual([]);
});

/** Serves a node handler and reports its outcome. `guard` gets the response while a slow handler runs. */
const serveNode = async (webhooks: Receiver, guard: (response: ServerResponse) => void = () => {}) => {
  const { promise: outcome, resolve } = Promise.withResolvers<string>();
  const handle = toNodeHandler(webhooks);
  const url = await listen((request, response) => {
    guard(response);
    handle(request, response).then(
      () => resolve('resolved'),
      (error) => resolve(`rejected: ${error}`),
    );
  });
  return { url, outcome };
};

test.each<[title: string, act: (response: ServerResponse) => void, status: number | undefined]>([
  ['responds', (response) => void response.writeHead(503).end('{"error":"late"}'), 503],
  ['starts to respond', (response) => void response.writeHead(503).write('{"error":"late"}'), 503],
  ['destroys the response', (response) => void response.destroy(), undefined],
  ['disconnects', (response) => void response.socket?.destroy(), undefined],
])(
  'node:http: if something else %s during a delivery, the handler adds and throws nothing',
  async (_, act, status) => {
    const { webhooks, started, finish } = slowReceiver();
    const guarded = Promise.withResolvers<ServerResponse>();
    const { url, outcome } = await serveNode(webhooks, guarded.resolve);

    const request = post(url).end(text);
    await started;
    const response = await guarded.promise;
    const arrived = status === undefined ? [] : once(request, 'response');
    act(response);
    const [incoming] = (await arrived) as [IncomingMessage?];
    finish();
    expect(await outcome).toBe('resolved');
    response.end();
    if (incoming !== undefined) {
      await readText(incoming);
    }
    expect([incoming?.statusCode, incoming?.complete ?? true, warnings]).toEqual([status, true, []]);
  },
);

test('node:http: if the response throws, the connection closes with a warning and the process goes on', async () => {
  const failure = new Error('a wrapper of the response failed');
  const { url, outcome } = await serveNode(createReceiver().webhooks, (response) => {
    response.writeHead = () => {
      throw failure;
    };
  });

  await expect(once(post(url).end(text), 'response')).rejects.toThrow(/hang up|reset/);
  expect([await outcome, warnings]).toEqual(['resolved', [failure]]);
});

test('toNodeHandler() in Fastify or Hono rejects with an error that names the right adapter', async () => {
  const handle = toNodeHandler(createReceiver().webhooks) as (...given: unknown[]) => Promise<void>;
  const app = fastify().post('/webhooks', handle);
  const response = await app.inject({ method: 'POST', url: '/webhooks', payload: text, headers });
  await app.close();
  const message = expect.stringContaining(
    'In Fastify, register fastifyWebhooks of @confab/webhooks/fastify.',
  );
  expect([response.statusCode, response.json()]).toEqual([500, expect.objectContaining({ message })]);
  await expect(handle({ req: new Request('https://r.test/') })).rejects.toThrow('pass webhooks.fetch');
});

test('node:http, Fastify and Lambda: a receiver that rejects causes a 500 without the reason', async () => {
  const webhooks: Receiver = { receive: () => Promise.reject(new Error('broken')) };
  const { url, outcome } = await serveNode(webhooks);

  expect(await send(url, text, headers)).toMatchObject({ status: 500 });
  expect(await outcome).toBe('resolved');
  expect(await toLambdaHandler(webhooks)({ httpMethod: 'POST' })).toMatchObject({ statusCode: 500 });
  const app = fastify().register(fastifyWebhooks, { webhooks });
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/', payload: text, headers });
  expect([statusCode, body]).toEqual([500, '{"error":"RECEIVER_FAILED"}']);
  await app.close();
  await eventually(() => expect(warnings).toEqual(Array(3).fill(new Error('broken'))));
});

test('node:http: a connection with an unread body closes after the response, and access logs can read its address', async () => {
  const handle = toNodeHandler(createWebhooks({ secret, signature, maxBodyBytes: 10 }));
  const after: unknown[] = [];
  const url = await listen(async (request, response) => {
    await handle(request, response);
    after.push(request.destroyed, request.socket?.remoteAddress);
  });
  const closed = await send(url, 'x'.repeat(11), { 'transfer-encoding': 'chunked' });
  expect([closed.status, closed.headers.connection]).toEqual([413, 'close']);
  expect(after).toEqual([false, '127.0.0.1']);
  const kept = await send(url, 'x', { connection: 'keep-alive' });
  expect([kept.status, kept.headers.connection]).toEqual([401, 'keep-alive']);
});

for (const framework of ['node:http', 'Fastify'] as const) {
  test(`${framework}: an incomplete upload is refused with BODY_ABORTED, and the server keeps running`, async () => {
    const { webhooks, errors } = createReceiver();
    const url = await startHost(framework, webhooks);
    const socket = connectTo(url);
    const start = 'POST /webhooks HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"event"';
    socket.write(start, () => socket.destroy());
    await eventually(() => expect(errors).toMatchObject([{ code: 'BODY_ABORTED', status: 400 }]));
    expect((await send(url, text, headers)).status).toBe(200);
  });

  test(`${framework}: a sender that waits for "100 Continue" gets that, or a 413`, async () => {
    const { webhooks } = createReceiver({ maxBodyBytes: 1000 });
    const url = await startHost(framework, webhooks);
    const request = post(url, { expect: '100-continue', 'content-length': text.length });
    request.flushHeaders();
    await once(request, 'continue');
    request.end(text);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect([response.statusCode, await readText(response)]).toEqual([200, '{"ok":true}']);
    const large = connectTo(url);
    large.write('POST /webhooks HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 1001\r\n\r\n');
    expect(await readText(large)).toContain('413');
  });

  test(`${framework}: the signal of the handler aborts when the sender disconnects`, async () => {
    const { webhooks } = createReceiver();
    const url = await startHost(framework, webhooks);
    const reason = Promise.withResolvers<unknown>();
    const request = post(url);
    webhooks.onAny(async (_, { signal }) => {
      request.destroy();
      await once(signal, 'abort');
      reason.resolve(signal.reason);
    });
    request.end(text);
    expect(await reason.promise).toEqual(new Error('The sender disconnected before the response.'));
  });

  test(`${framework}: a repeated header that node:http would drop is detected`, async () => {
    const options = { secret, signature: { header: 'authorization' } };
    const url = await startHost(framework, createWebhooks(options));
    const { authorization = '' } = await sign(text, options);
    expect(await send(url, text, { authorization })).toMatchObject({ status: 200 });
    const twice = Object.fromEntries([['authorization', [authorization, authorization]]]);
    expect((await send(url, text, twice)).json).toEqual({ error: 'AMBIGUOUS_SIGNATURE' });
  });
}

const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
const httpMethod = 'POST';
const twice = { 'x-sig': [signed['x-sig'] ?? '', 'other'] };

test.each<[title: string, event: unknown, statusCode: number]>([
  ['nothing', undefined, 405],
  ['an empty event', {}, 405],
  ['a method that is not a string', { httpMethod: 5 }, 405],
  ['requestContext.http null', { requestContext: { http: null } }, 405],
  ['headers null', { httpMethod, headers: null, body: text }, 401],
  ['headers that are not strings', { httpMethod, headers: { 'x-sig': 5 }, body: text }, 401],
  ['headers without multi-value headers', { httpMethod, multiValueHeaders: {}, headers, body: text }, 200],
  ['multi-value headers null', { httpMethod, multiValueHeaders: null, headers, body: text }, 200],
  ['a load balancer', { httpMethod, headers, body: text, requestContext: { elb: {} } }, 200],
  ['VPC Lattice v1', { method: httpMethod, headers, body: text, is_base64_encoded: false }, 200],
  [
    'VPC Lattice v1 with base64',
    { method: httpMethod, headers, body: btoa(text), is_base64_encoded: true },
    200,
  ],
  ['VPC Lattice v2', { version: '2.0', method: httpMethod, headers: multiValueHeaders, body: text }, 200],
  ['VPC Lattice v2 with two signatures', { method: httpMethod, headers: twice, body: text }, 401],
  [
    'two signatures, one of them in headers',
    { httpMethod, multiValueHeaders: twice, headers, body: text },
    401,
  ],
  ['no body with the base64 flag', { httpMethod, headers, body: null, isBase64Encoded: true }, 401],
  ['truncated base64', { httpMethod, headers, body: 'abcde', isBase64Encoded: true }, 500],
  ['a parsed body', { httpMethod, headers, body: { event: 'x' } }, 500],
])('toLambdaHandler() responds to %s, and explains a body that is not raw', async (_, event, statusCode) => {
  const { webhooks, errors } = createReceiver();
  expect(await toLambdaHandler(webhooks)(event as LambdaEvent)).toMatchObject({ statusCode });
  if (statusCode === 500) {
    await expectHint(errors, 'isBase64Encoded' in Object(event) ? /isBase64Encoded: true/ : /Middy/);
  }
});

test('Lambda: only a load balancer with multi-value headers gets a response with multi-value headers', async () => {
  const handle = toLambdaHandler(createReceiver().webhooks);
  const ofLoadBalancer = { httpMethod: 'GET', multiValueHeaders, body: '', requestContext: { elb: {} } };
  expect(await handle(ofLoadBalancer)).toEqual({
    statusCode: 405,
    multiValueHeaders: { 'content-type': ['application/json'], allow: ['POST'] },
    body: '{"error":"METHOD_NOT_ALLOWED"}',
  });
  const single = { headers: { 'content-type': 'application/json' }, body: '{"ok":true}', statusCode: 200 };
  expect(await handle({ httpMethod, headers, multiValueHeaders, body: text })).toEqual(single);
});
