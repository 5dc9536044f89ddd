import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener } from 'node:http';
import { request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '@confab/internal/test-support';
import type { Webhooks } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import type { LambdaEvent, LambdaResult } from '@confab/webhooks/lambda';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';
import { getRequestListener } from '@hono/node-server';
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda';
import connect from 'connect';
import express from 'express';
import express4 from 'express4';
import fastify from 'fastify';
import { Hono } from 'hono';
import serverless from 'serverless-http';
import { onTestFinished } from 'vitest';

/** A framework with a receiver at `/webhooks`, served on loopback. */
export interface Host {
  readonly name: string;
  /** False if the framework passes text, which loses bytes that are not UTF-8. */
  readonly binary: boolean;
  /** Resolves to the URL of the server, which runs until the test ends. */
  readonly start: (webhooks: Pick<Webhooks, 'fetch' | 'receive'>) => Promise<string>;
}

const multiHeaders = (request: IncomingMessage) => request.headersDistinct as Record<string, string[]>;

/** Header values as API Gateway joins or drops them. */
const singleHeaders = (request: IncomingMessage, join: (values: string[]) => string | undefined) =>
  Object.fromEntries(Object.entries(multiHeaders(request)).map(([name, values]) => [name, join(values)]));

type ToEvent = (request: IncomingMessage, body: Buffer) => LambdaEvent;

const gateway =
  (handle: (event: LambdaEvent) => Promise<LambdaResult>, toEvent: ToEvent): RequestListener =>
  async (request, response) => {
    const event = toEvent(request, await buffer(request));
    const { statusCode, headers, body } = await handle(event);
    response.writeHead(statusCode, headers).end(body);
  };

const eventV1 = (request: IncomingMessage, body: Buffer) =>
  ({
    httpMethod: request.method ?? '',
    path: request.url ?? '',
    headers: singleHeaders(request, (values) => values.at(-1)),
    multiValueHeaders: multiHeaders(request),
    body: body.toString('base64'),
    isBase64Encoded: true,
  }) as APIGatewayProxyEvent;

const eventV2 = (base64: boolean) => (request: IncomingMessage, body: Buffer) =>
  ({
    version: '2.0',
    rawPath: request.url ?? '',
    rawQueryString: '',
    requestContext: { http: { method: request.method } },
    headers: singleHeaders(request, (values) => values.join(',')),
    body: body.toString(base64 ? 'base64' : 'utf8'),
    isBase64Encoded: base64,
  }) as APIGatewayProxyEventV2;

const startFastify: Host['start'] = async (webhooks) => {
  const app = fastify({ bodyLimit: 1 });
  app.register(fastifyWebhooks, { webhooks, path: '/webhooks' });
  onTestFinished(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return app.listen({ port: 0, host: '127.0.0.1' });
};

const raw = express.raw({ type: '*/*', limit: '10mb' });

/** How each framework that this package is tested with mounts a receiver. */
const listeners: Readonly<
  Record<string, (webhooks: Pick<Webhooks, 'fetch' | 'receive'>) => RequestListener>
> = {
  'node:http': toNodeHandler,
  Connect: (webhooks) => connect().use('/webhooks', toNodeHandler(webhooks)),
  'Express 5': (webhooks) => express().all('/webhooks', toNodeHandler(webhooks)),
  'Express 4': (webhooks) => express4().all('/webhooks', toNodeHandler(webhooks)),
  'Express 5 after express.raw()': (webhooks) => express().all('/webhooks', raw, toNodeHandler(webhooks)),
  'Hono (webhooks.fetch)': (webhooks) =>
    getRequestListener(new Hono().all('/webhooks', (context) => webhooks.fetch(context.req.raw)).fetch),
  'Lambda, API Gateway v1': (webhooks) => gateway(toLambdaHandler(webhooks), eventV1),
  'Lambda, API Gateway v2, base64': (webhooks) => gateway(toLambdaHandler(webhooks), eventV2(true)),
  'Lambda, API Gateway v2, text': (webhooks) => gateway(toLambdaHandler(webhooks), eventV2(false)),
  'Lambda, serverless-http': (webhooks) => {
    const handle = serverless(toNodeHandler(webhooks));
    return gateway((event) => handle(event, {}) as Promise<LambdaResult>, eventV2(true));
  },
};

/** All frameworks that this package is tested with. */
export const hosts: readonly Host[] = [
  { name: 'Fastify', binary: true, start: startFastify },
  ...Object.entries(listeners).map(([name, listenerOf]) => ({
    name,
    binary: !name.endsWith('text'),
    start: async (webhooks: Pick<Webhooks, 'fetch' | 'receive'>) => listen(listenerOf(webhooks)),
  })),
];

/** Starts the framework of this name. */
export const startHost = (name: 'node:http' | 'Fastify', webhooks: Pick<Webhooks, 'fetch' | 'receive'>) => {
  const host = hosts.find((one) => one.name === name);
  return host?.start(webhooks) as Promise<string>;
};

/** Sends a request, with repeated headers if there are any. */
export const send = async (
  url: string,
  body: Uint8Array | string,
  headers: OutgoingHttpHeaders,
  method = 'POST',
) => {
  const request = httpRequest(`${url}/webhooks`, { method, headers });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await buffer(response)).toString();
  return { status: response.statusCode, headers: response.headers, json: JSON.parse(text) as unknown };
};
