import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  StackContextManager,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { ClientOptions } from '../src/index.ts';
import { ConfabError, createClient } from '../src/index.ts';
import { instrument } from '../src/opentelemetry/index.ts';
import { createTestClock } from './support/clock.ts';
import { ids, KEY, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { keepContext } from './support/keep-context.ts';
import type { Responder } from './support/server.ts';
import { drop, failure, hang, json, reachable, startServer, success } from './support/server.ts';

beforeAll(() => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
});
afterAll(() => propagation.disable());

const PATH = '/api/v2/public/leads/{id}';

const record = async (options: ClientOptions, ...responders: Responder[]) => {
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics });
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] });
  const tracer = provider.getTracer('test');
  const meter = new MeterProvider({ readers: [reader] }).getMeter('test');
  const server = await startServer(...responders);
  const base = { baseUrl: server.url, apiKey: KEY, clock: createTestClock(), ...options };
  const confab = createClient(instrument(base, { tracer, meter }));
  return {
    provider,
    confab,
    server,
    address: {
      'server.address': new URL(server.url).hostname,
      'server.port': Number(new URL(server.url).port) || 443,
    },
    finished: () => {
      const all = spans.getFinishedSpans();
      return {
        calls: all.filter(({ kind }) => kind === SpanKind.INTERNAL),
        attempts: all.filter(({ kind }) => kind === SpanKind.CLIENT),
      };
    },
    async points(name: string) {
      await reader.forceFlush();
      const [resource] = metrics.getMetrics().slice(-1);
      return resource?.scopeMetrics
        .flatMap((scope) => scope.metrics)
        .filter(({ descriptor }) => descriptor.name === name)
        .flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => ({
            unit: descriptor.unit,
            attributes,
            ...(value as { count: number; sum: number }),
          })),
        );
    },
  };
};

const parentOf = (span: ReadableSpan | undefined) => span?.parentSpanContext?.spanId;
const idOf = (span: ReadableSpan | undefined) => span?.spanContext().spanId;

test('a call is a span with one child per attempt, following the conventions for HTTP clients', async () => {
  const { confab, finished, server, address } = await record({}, failure(503, 'BUSY'), success(lead));
  await confab.leads.get(ids.lead);
  const { calls, attempts } = finished();
  expect(calls).toHaveLength(1);
  expect(calls[0]).toMatchObject({
    name: 'confab leads.get',
    status: { code: SpanStatusCode.UNSET },
    attributes: { 'confab.operation': 'leads.get', 'confab.attempts': 2, 'confab.queued_ms': 0 },
  });
  const attributes = {
    'http.request.method': 'GET',
    ...address,
    'url.template': PATH,
    'url.full': `${server.url}/api/v2/public/leads/${ids.lead}`,
  };
  expect(attempts.map(({ name, status, attributes }) => ({ name, status, attributes }))).toEqual([
    {
      name: `GET ${PATH}`,
      status: { code: SpanStatusCode.ERROR },
      attributes: { ...attributes, 'http.response.status_code': 503, 'error.type': '503' },
    },
    {
      name: `GET ${PATH}`,
      status: { code: SpanStatusCode.UNSET },
      attributes: { ...attributes, 'http.response.status_code': 200, 'http.request.resend_count': 1 },
    },
  ]);
  expect(attempts.map(parentOf)).toEqual([idOf(calls[0]), idOf(calls[0])]);
});

test('the span of a call is a child of the active span', async () => {
  context.setGlobalContextManager(new StackContextManager().enable());
  const { confab, finished } = await record({}, success(lead));
  const active = trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 });
  await context.with(trace.setSpan(context.active(), active), () => confab.leads.get(ids.lead));
  context.disable();
  expect(parentOf(finished().calls[0])).toBe('2'.repeat(16));
});

test.runIf(reachable)(
  'an attempt has one span and one traceparent, even if fetch is instrumented as well',
  async () => {
    keepContext();
    const page = json(200, { success: true, data: [], meta: { total: 0, limit: 25, offset: 0 } });
    const { confab, finished, server, provider } = await record({}, success([]), failure(503, 'BUSY'), page);
    const instrumentation = new UndiciInstrumentation();
    instrumentation.setTracerProvider(provider);
    onTestFinished(() => instrumentation.disable());

    await (await fetch(`${server.url}/api/v2/public/agents`)).text();
    expect(finished().attempts).toHaveLength(1);
    await confab.leads.list({ search: '+5511987654321' });

    const [, ...attempts] = finished().attempts;
    const { calls } = finished();
    expect(attempts.map(parentOf)).toEqual([idOf(calls[0]), idOf(calls[0])]);
    expect(JSON.stringify(attempts.map(({ attributes }) => attributes))).not.toContain('5511');
    const expected = attempts.map((span) => `00-${span.spanContext().traceId}-${idOf(span)}-01`);
    expect(server.arrivals.slice(1).map(({ headers }) => headers.traceparent)).toEqual(expected);
  },
);

test('`leads.ensure` is one call that succeeds when the lead exists, with a request for each step', async () => {
  const page = json(200, { success: true, data: [lead], meta: { total: 1, limit: 100, offset: 0 } });
  const { confab, finished } = await record({}, failure(409, 'EXISTS'), failure(503, 'BUSY'), page);
  expect(await confab.leads.ensure({ phone: lead.phone })).toEqual({ lead, status: 'existing' });
  const { calls, attempts } = finished();
  expect(calls).toMatchObject([
    {
      name: 'confab leads.ensure',
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'confab.operation': 'leads.ensure', 'confab.attempts': 3 },
    },
  ]);
  expect(calls[0]?.attributes).not.toHaveProperty('error.type');
  expect(attempts.map(parentOf)).toEqual(attempts.map(() => idOf(calls[0])));
  expect(
    attempts.map(({ attributes }) => [
      attributes['http.request.method'],
      attributes['http.response.status_code'],
      attributes['error.type'],
      attributes['http.request.resend_count'],
    ]),
  ).toEqual([
    ['POST', 409, undefined, undefined],
    ['GET', 503, '503', undefined],
    ['GET', 200, undefined, 1],
  ]);
});

test.each<[string, Responder, string | undefined, string]>([
  ['a 404', failure(404, 'NOT_FOUND'), '404', '404'],
  ['a lost connection', drop, 'ConnectionError', 'ConnectionError'],
  ['a body that is not an envelope', json(200, {}), undefined, 'InvalidResponseError'],
])(
  '%s marks the span of the call as failed, and its attempt only if that failed',
  async (_, responder, attemptType, callType) => {
    const { confab, finished } = await record({ retry: false }, responder);
    await errorOf(confab.leads.get(ids.lead), ConfabError);
    const { calls, attempts } = finished();
    expect(attempts[0]?.status.code).toBe(attemptType ? SpanStatusCode.ERROR : SpanStatusCode.UNSET);
    expect(attempts[0]?.attributes['error.type']).toBe(attemptType);
    expect(calls[0]).toMatchObject({ status: { code: SpanStatusCode.ERROR } });
    expect(calls[0]?.attributes['error.type']).toBe(callType);
  },
);

test.each(['timeout', 'totalTimeout'])(
  'the %s of createClient ends both spans with a TimeoutError',
  async (option) => {
    const clock = createTestClock();
    const { confab, finished, server } = await record({ clock, retry: false, [option]: 20 }, hang);
    const call = errorOf(confab.leads.get(ids.lead), ConfabError);
    await server.arrived(1);
    clock.advance(20);
    await call;
    const { calls, attempts } = finished();
    const types = [...calls, ...attempts].map(({ attributes }) => attributes['error.type']);
    expect(types).toEqual(['TimeoutError', 'TimeoutError']);
  },
);

test('an abort ends both spans without marking them failed', async () => {
  const { confab, finished, server } = await record({}, hang);
  const controller = new AbortController();
  const call = confab.leads.get(ids.lead, { signal: controller.signal });
  await server.arrived(1);
  controller.abort('enough');
  await expect(call).rejects.toBe('enough');
  const { calls, attempts } = finished();
  for (const span of [...calls, ...attempts]) {
    expect(span).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'error.type': 'aborted' },
    });
  }
  expect(attempts).toHaveLength(1);
});

test('a call with invalid input has a span but no attempt', async () => {
  const { confab, finished, points } = await record({}, success(lead));
  await confab.leads.get('no').catch(() => {});
  const { calls, attempts } = finished();
  expect(attempts).toHaveLength(0);
  expect(calls[0]?.attributes['error.type']).toBe('InvalidRequestError');
  expect(await points('confab.client.rate_limit.wait.duration')).toEqual([]);
});

test('durations and rate-limit waits are measured in seconds', async () => {
  const slow = failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', { 'retry-after': '7' });
  const { confab, points, address } = await record({}, slow, success(lead));
  await confab.leads.get(ids.lead);
  const attributes = {
    'http.request.method': 'GET',
    ...address,
    'url.template': PATH,
  };
  const requests = await points('http.client.request.duration');
  expect(requests).toMatchObject([
    {
      unit: 's',
      count: 1,
      attributes: { ...attributes, 'http.response.status_code': 429, 'error.type': '429' },
    },
    { unit: 's', count: 1, attributes: { ...attributes, 'http.response.status_code': 200 } },
  ]);
  expect(requests?.every(({ sum }) => sum > 0 && sum < 60)).toBe(true);
  const operation = { 'confab.operation': 'leads.get' };
  const waits = [{ unit: 's', count: 1, sum: 7, attributes: operation }];
  expect(await points('confab.client.rate_limit.wait.duration')).toMatchObject(waits);
  expect(await points('confab.client.call.duration')).toMatchObject(waits);
});

test("the user's hooks, with their own `this`, and the user's headers still work", async () => {
  class Own {
    readonly seen: string[] = [];
    onCallStart() {
      this.seen.push('start');
    }
    onResponse() {
      this.seen.push('response');
      throw new Error('hook');
    }
  }
  const hooks = new Own();
  const headers = vi.fn(async () => ({ 'x-own': '1', Traceparent: 'stale' }));
  const { confab, server, finished } = await record({ hooks, headers }, success(lead));
  await confab.leads.get(ids.lead, { headers: { traceparent: 'stale, too' } });
  expect(hooks.seen).toEqual(['start', 'response']);
  expect(headers).toHaveBeenCalledWith(expect.objectContaining({ attempt: 1 }));
  expect(server.arrivals[0]?.headers).toMatchObject({ 'x-own': '1', 'x-api-key': KEY });
  expect(server.arrivals[0]?.headers.traceparent).toContain(idOf(finished().attempts[0]));
});

test('a tracer that throws does not break a call or the hooks', async () => {
  const onCallEnd = vi.fn();
  const server = await startServer(success(lead));
  const broken = () => {
    throw new Error('tracer');
  };
  const tracer = { startSpan: broken, startActiveSpan: broken };
  const options = { baseUrl: server.url, apiKey: KEY, hooks: { onCallEnd } };
  expect(await createClient(instrument(options, { tracer })).leads.get(ids.lead)).toEqual(lead);
  expect(onCallEnd).toHaveBeenCalledOnce();
});

test.each<[string, (carrier: Record<string, string>) => void]>([
  [
    'throws',
    () => {
      throw new Error('propagator');
    },
  ],
  ['writes what cannot be sent', (carrier) => void Object.assign(carrier, { baggage: 'a\nb' })],
  ['writes the header of the key', (carrier) => void Object.assign(carrier, { 'X-API-Key': 'other' })],
])('with a propagator that %s, calls succeed and each span ends', async (_, inject) => {
  propagation.disable();
  propagation.setGlobalPropagator({
    inject: (_context, carrier) => inject(carrier as Record<string, string>),
    extract: (from) => from,
    fields: () => [],
  });
  onTestFinished(() => {
    propagation.disable();
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  });
  const { confab, finished, server } = await record({}, success(lead));
  expect(await confab.leads.get(ids.lead)).toEqual(lead);
  expect(finished().attempts).toHaveLength(1);
  expect(server.arrivals[0]?.headers['x-api-key']).toBe(KEY);
});

test('no span or measurement contains the key, a body, a phone number or a query', async () => {
  const quoting = failure(400, 'BAD', `+5511987654321 and ${KEY}`);
  const { confab, finished, points } = await record({}, quoting, json(200, { success: true, data: [] }));
  await confab.leads.create({ phone: '+5511987654321', displayName: 'Secretive' }).catch(() => {});
  await confab.leads.list({ search: '5511987654321' }).catch(() => {});
  await confab.leads.get('+5511987654321').catch(() => {});
  const { calls, attempts } = finished();
  expect([calls.length, attempts.length]).toEqual([3, 2]);
  const spans = [...calls, ...attempts].map(({ name, status, events, attributes, links }) => ({
    name,
    status,
    events,
    attributes,
    links,
  }));
  const text = JSON.stringify([spans, await points('http.client.request.duration')]);
  // These digits are too many for a duration or a port.
  expect(text).not.toMatch(/5511987|Secretive|search/);
  expect(text).not.toContain(KEY);
});

test('instrument throws at once for misspelled and invalid options', () => {
  expect(() => createClient(instrument({ timeOut: 1 } as never))).toThrow('Did you mean `timeout`?');
  expect(() => instrument({}, { trace: 1 } as never)).toThrow('Did you mean `tracer`?');
  expect(() => instrument({}, { meter: 1 as never })).toThrow('must be a meter');
});

test('without an OpenTelemetry SDK, calls succeed and have no additional headers', async () => {
  const server = await startServer(success(lead));
  const confab = createClient(instrument({ baseUrl: server.url, apiKey: KEY }));
  expect(await confab.leads.get(ids.lead)).toEqual(lead);
  expect(server.arrivals[0]?.headers).not.toHaveProperty('traceparent');
});
