import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import type { CallEndEvent, CallStartEvent, ClientOptions, Hooks } from '../src/index.ts';
import {
  ConfigurationError,
  ConnectionError,
  InvalidRequestError,
  InvalidResponseError,
  TimeoutError,
} from '../src/index.ts';
import { clientAt, clientWith } from './support/client.ts';
import { createTestClock } from './support/clock.ts';
import { ids, lead } from './support/data.ts';
import { errorOf } from './support/error-of.ts';
import { createManualClock } from './support/manual-clock.ts';
import { drop, failure, hang, json, startServer, success } from './support/server.ts';

const recordCalls = () => {
  const starts: CallStartEvent[] = [];
  const ends: CallEndEvent[] = [];
  const hooks: Hooks = {
    onCallStart: (event) => void starts.push(event),
    onCallEnd: (event) => void ends.push(event),
  };
  return { starts, ends, hooks };
};

const clientOf = (url: string, hooks: Hooks, options: ClientOptions = {}) =>
  clientAt(url, { clock: createTestClock(), hooks, ...options });

test('a successful call reports its start and its end before its promise resolves', async () => {
  const { starts, ends, hooks } = recordCalls();
  const server = await startServer(success(lead));
  const call = clientOf(server.url, hooks).leads.get(ids.lead);
  const start = { callId: expect.any(Number), operation: 'leads.get' };
  expect(starts).toEqual([start]);
  await call;
  const times = { attempts: 1, durationMs: 0, queuedMs: 0, waitedMs: 0 };
  expect(ends).toEqual([{ ...start, ...times, outcome: 'success', error: undefined }]);
  expect(ends[0]?.callId).toBe(starts[0]?.callId);
});

test('onCallEnd has the error of a call that fails by its input, its options or its connection', async () => {
  const { starts, ends, hooks } = recordCalls();
  const server = await startServer(drop);
  const confab = clientOf(server.url, hooks, { retry: false });
  const errors = [
    await errorOf(confab.leads.get('not-an-id'), InvalidRequestError),
    await errorOf(confab.leads.get(ids.lead, { timeout: -1 }), ConfigurationError),
    await errorOf(confab.leads.get(ids.lead), ConnectionError),
  ];
  expect(starts).toHaveLength(3);
  expect(ends.map(({ outcome, attempts, error }) => ({ outcome, attempts, error }))).toEqual(
    errors.map((error, index) => ({ outcome: 'error', attempts: index === 2 ? 1 : 0, error })),
  );
});

test('a body that is not an envelope ends a call with an error, even if only the raw response is read', async () => {
  const { ends, hooks } = recordCalls();
  const server = await startServer(json(200, { ok: true }));
  const confab = clientOf(server.url, hooks);
  const response = await confab.leads.get(ids.lead).asResponse();
  expect(await response.json()).toEqual({ ok: true });
  expect(ends).toEqual([
    expect.objectContaining({ outcome: 'error', error: expect.any(InvalidResponseError) }),
  ]);
});

// A reason of NaN equals no value, itself included.
test.each(['enough', Number.NaN])(
  'onCallEnd reports the outcome aborted for an abort with the reason %s, but not for a total timeout',
  async (reason) => {
    const { ends, hooks } = recordCalls();
    const server = await startServer(hang);
    const controller = new AbortController();
    const clock = createManualClock();
    const confab = clientOf(server.url, hooks, { clock: clock.clock, totalTimeout: 1_000 });
    const aborted = confab.leads.get(ids.lead, { signal: controller.signal });
    const late = confab.leads.get(ids.lead);
    await server.arrived(2);
    controller.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    await Promise.all([errorOf(late, TimeoutError), clock.turnTo(1_000)]);
    expect(ends).toMatchObject([
      { outcome: 'aborted', attempts: 1, error: reason },
      { outcome: 'error', attempts: 1, durationMs: 1_000 },
    ]);
  },
);

test('queuedMs is the time in the queue and during a pause, and waitedMs the time before retries', async () => {
  const { ends, hooks } = recordCalls();
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const server = await startServer(
    failure(503, 'BUSY', 'Later', { 'retry-after': '3' }),
    failure(429, 'RATE_LIMIT_EXCEEDED', 'Slow down', { 'retry-after': '7' }),
    success(lead),
  );
  await clientOf(server.url, hooks).leads.get(ids.lead);
  expect(ends).toMatchObject([{ attempts: 3, waitedMs: 3_000, queuedMs: 7_000, durationMs: 10_000 }]);
  vi.restoreAllMocks();
});

/** What may become of one attempt. */
const outcome = fc.constantFrom('ok', '503', '429', '400', '409', 'drop', 'html', 'hang', 'throw');

const respond = (kind: string): Response | Promise<Response> => {
  switch (kind) {
    case 'ok':
      return Response.json({ success: true, data: lead });
    case 'html':
      return new Response('<html>');
    case 'drop':
      return Promise.reject(new TypeError('fetch failed'));
    case 'hang':
      return new Promise(() => {});
    case 'throw':
      throw new Error('bug in fetch');
    default:
      return Response.json({ success: false, error: 'x', code: 'X' }, { status: Number(kind) });
  }
};

const step = fc.record({
  method: fc.constantFrom('get', 'create', 'ensure', 'list', 'all', 'invalid'),
  /** The moment of its abort; undefined for none. */
  abortAt: fc.option(fc.integer({ min: 0, max: 5_000 }), { nil: undefined }),
});

test('each onCallStart is followed by exactly one onCallEnd, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(outcome, { minLength: 1, maxLength: 12 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (outcomes, steps) => {
        const { starts, ends, hooks } = recordCalls();
        const time = createManualClock();
        let sent = 0;
        const fetch = async () => respond(outcomes[sent++ % outcomes.length]!);
        const confab = clientWith({
          clock: time.clock,
          concurrency: 2,
          totalTimeout: 20_000,
          timeout: 4_000,
          fetch,
          hooks,
        });
        const calls = steps.map(({ method, abortAt }) => {
          const controller = new AbortController();
          const { signal } = controller;
          if (abortAt !== undefined) {
            time.clock.sleep(abortAt).then(() => controller.abort('aborted'));
          }
          const body = { phone: lead.phone };
          const methods: Record<string, () => PromiseLike<unknown>> = {
            get: () => confab.leads.get(ids.lead, { signal }),
            create: () => confab.leads.create(body, { signal }),
            ensure: () => confab.leads.ensure(body, { signal }),
            list: () => confab.leads.list({}, { signal }),
            all: () => confab.leads.list({}, { signal, prefetch: 2 }).all(),
            invalid: () => confab.leads.get('no', { signal }),
          };
          return Promise.resolve(methods[method]!()).catch(() => {});
        });
        await Promise.all([Promise.all(calls), time.turnTo(200_000)]);
        const numbers = (events: readonly CallStartEvent[]) => events.map(({ callId }) => callId).sort();
        expect(starts.length).toBeGreaterThanOrEqual(steps.length);
        expect(numbers(ends)).toEqual(numbers(starts));
        expect(new Set(numbers(starts)).size).toBe(starts.length);
        for (const { outcome, error, attempts } of ends) {
          expect(outcome === 'success').toBe(error === undefined);
          expect(attempts).toBeGreaterThanOrEqual(outcome === 'success' ? 1 : 0);
        }
        // Attempts of all calls are the requests that were sent.
        expect(ends.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(sent);
      },
    ),
    { numRuns: 60 },
  );
});
