import type { HeadersLike, MessageCreated, UnknownEvent, Webhooks } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { fastifyWebhooks } from '@confab/webhooks/fastify';
import { toLambdaHandler } from '@confab/webhooks/lambda';
import { toNodeHandler } from '@confab/webhooks/node';
import { postgresInbox } from '@confab/webhooks/postgres';
import type { PGlite, Transaction } from '@electric-sql/pglite';
import type {
  ALBHandler,
  APIGatewayProxyHandler,
  APIGatewayProxyHandlerV2,
  LambdaFunctionURLHandler,
} from 'aws-lambda';
import express from 'express';
import type { FastifyInstance } from 'fastify';
import type { Pool, PoolClient } from 'pg';
import { expectTypeOf, test } from 'vitest';
import * as z from 'zod/mini';

const signature = { header: 'x-sig' };
const options = { secret: 's', signature };
const webhooks = createWebhooks(options);
const named = createWebhooks({
  secret: ['new', 'old'],
  signature,
  events: {
    'status.changed': z.object({ status: z.pipe(z.string(), z.transform(Number)) }),
    'conversation.created': z.object({ id: z.string() }),
  },
});

test('a handler is typed by the name of its event', () => {
  webhooks.on('message.created', (event, context) => {
    expectTypeOf(event.event).toEqualTypeOf<'message.created'>();
    expectTypeOf(event.data).toEqualTypeOf<MessageCreated>();
    expectTypeOf(context.secretIndex).toEqualTypeOf<number | undefined>();
    expectTypeOf(context.headers).toEqualTypeOf<Headers>();
    expectTypeOf(context.signal).toEqualTypeOf<AbortSignal>();
    // @ts-expect-error no such field
    event.data.nothing;
  });
  named.on('status.changed', ({ data }) => {
    // The output of the schema, not its input.
    expectTypeOf(data.status).toEqualTypeOf<number>();
  });
  named.on('message.created', async ({ data }) => {
    expectTypeOf(data.body).toEqualTypeOf<string>();
  });
  webhooks.onUnknown((event) => {
    expectTypeOf(event).toEqualTypeOf<UnknownEvent>();
  });
});

test('`tx` is the client of the pool or the transaction of the PGlite, and undefined without an inbox', () => {
  const key = () => 'a';
  const onPg = createWebhooks({ ...options, dedupe: postgresInbox({ pool: {} as Pool, key }) });
  onPg.on('message.created', (_, { tx }) => expectTypeOf(tx).toEqualTypeOf<PoolClient>());
  onPg.onAny((_, { tx }) => expectTypeOf(tx).toEqualTypeOf<PoolClient>());
  const onPglite = createWebhooks({ ...options, dedupe: postgresInbox({ pool: {} as PGlite, key }) });
  onPglite.onUnknown((_, { tx }) => expectTypeOf(tx).toEqualTypeOf<Transaction>());
  const onStore = createWebhooks({ secret: 's', signature, dedupe: { key } });
  onStore.on('message.created', (_, { tx }) => expectTypeOf(tx).toEqualTypeOf<undefined>());
  webhooks.on('message.created', (_, { tx }) => expectTypeOf(tx).toEqualTypeOf<undefined>());
});

test('on() accepts only events with a schema', () => {
  // @ts-expect-error no schema has this name
  webhooks.on('status.changed', () => {});
  // @ts-expect-error nor this one
  named.on('status.change', () => {});
});

test('unwrap returns a union that `known` and `event` narrow', async () => {
  const event = await named.unwrap('', {});
  // @ts-expect-error not known yet
  event.data.body;
  if (!event.known) {
    expectTypeOf(event.data).toEqualTypeOf<unknown>();
  } else if (event.event === 'message.created') {
    expectTypeOf(event.data).toEqualTypeOf<MessageCreated>();
  } else if (event.event === 'status.changed') {
    expectTypeOf(event.data.status).toEqualTypeOf<number>();
  } else {
    expectTypeOf(event.data).toEqualTypeOf<{ id: string }>();
  }
});

test("a user's schema for message.created replaces the built-in one", () => {
  const mine = createWebhooks({
    ...options,
    events: { 'message.created': z.object({ locale: z.string() }) },
  });
  mine.on('message.created', ({ data }) => {
    expectTypeOf(data).toEqualTypeOf<{ locale: string }>();
  });
});

test('missing required options and parsed bodies do not compile', () => {
  // @ts-expect-error no secret
  createWebhooks({ signature });
  // @ts-expect-error no signature
  createWebhooks({ secret: 's' });
  // @ts-expect-error no header
  createWebhooks({ secret: 's', signature: {} });
  // @ts-expect-error no such encoding
  createWebhooks({ secret: 's', signature: { header: 'x', encoding: 'base32' } });
  // @ts-expect-error not a schema
  createWebhooks({ secret: 's', signature, events: { x: {} } });
  // @ts-expect-error not a key
  createWebhooks({ secret: 's', signature, dedupe: { key: 'x-id' } });
  // @ts-expect-error parsed
  webhooks.verify({ event: 'x', data: {} }, {});
  // @ts-expect-error parsed
  webhooks.unwrap(JSON.parse('{}') as object, {});
});

test('a list of secrets may have gaps, but a single secret is required', () => {
  createWebhooks({ secret: [process.env.NEW, process.env.OLD], signature });
  // @ts-expect-error perhaps undefined
  createWebhooks({ secret: process.env.NEW, signature });
});

test('fetch fits hosts that pass more arguments than the request', () => {
  type WorkersContext = { waitUntil(work: Promise<unknown>): void; passThroughOnException(): void };
  type Workers = (request: Request, env: { KEY: string }, context: WorkersContext) => Promise<Response>;
  expectTypeOf(webhooks.fetch).toExtend<Workers>();
  type Next = (request: Request, context: { params: Promise<object> }) => Promise<Response>;
  expectTypeOf(webhooks.fetch).toExtend<Next>();
  expectTypeOf(webhooks.fetch).toExtend<(request: Request) => Promise<Response>>();
  const context: WorkersContext = { waitUntil() {}, passThroughOnException() {} };
  void (() => webhooks.fetch(new Request('https://r.test'), context));
});

test('headers of every framework are accepted', () => {
  expectTypeOf<Headers>().toExtend<HeadersLike>();
  expectTypeOf<import('node:http').IncomingHttpHeaders>().toExtend<HeadersLike>();
  expectTypeOf<Record<string, string>>().toExtend<HeadersLike>();
  expectTypeOf<[string, string][]>().toExtend<HeadersLike>();
  expectTypeOf<Map<string, string>>().toExtend<HeadersLike>();
});

test('every receiver fits every adapter, and every adapter fits its framework', () => {
  express().post('/', toNodeHandler(named));
  expectTypeOf(toLambdaHandler(named)).toExtend<APIGatewayProxyHandler>();
  expectTypeOf(toLambdaHandler(named)).toExtend<APIGatewayProxyHandlerV2>();
  expectTypeOf(toLambdaHandler(named)).toExtend<LambdaFunctionURLHandler>();
  expectTypeOf(toLambdaHandler(named)).toExtend<ALBHandler>();
  const register = (app: FastifyInstance) => app.register(fastifyWebhooks, { webhooks: named, path: '/' });
  expectTypeOf(register).toBeFunction();
  expectTypeOf(webhooks).toEqualTypeOf<Webhooks>();
});
