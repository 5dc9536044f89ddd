import { createClient } from '@confab/client';
import { expect, test } from 'vitest';
import type { MissedOptions } from '../../src/index.ts';
import { createMock, expectNothingMissed } from '../../src/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { test as withFixture } from '../../src/vitest/index.ts';
import { open, PHONE } from '../support/hosts.ts';
import { start } from '../support/serving.ts';

const ID = '5f0c7a52-6b1e-4c62-9a5a-0d5c2f1c8d11';

/** The lines of the message of `expectNothingMissed()`. */
const missed = (mock: ReturnType<typeof createMock>, options?: MissedOptions): string[] => {
  try {
    expectNothingMissed(mock, options);
    return [];
  } catch (error) {
    expect(error).toMatchObject({ name: 'MockError', code: 'VERIFICATION_FAILED' });
    return (error as Error).message.split('\n  ').slice(1);
  }
};

test.each([
  ['GET /api/v2/public/lead', '. Did you mean GET /api/v2/public/leads?'],
  ['GET /leads', '. Did you mean GET /api/v2/public/leads?'],
  ['POST /v1/leads/', '. Did you mean POST /api/v2/public/leads?'],
  [`GET /api/v2/public/conversation/${ID}`, '. Did you mean GET /api/v2/public/conversations/{id}?'],
  [`POST /api/v2/public/agents/${ID}/invok`, '. Did you mean POST /api/v2/public/agents/{id}/invoke?'],
  [`PUT /api/v2/public/leads/${ID}`, '. The methods of this path are GET and PATCH.'],
  ['DELETE /api/v2/public/agents', '. The methods of this path are GET.'],
  ['GET /api/v2/public/webhooks/subscriptions', ''],
] as const)('expectNothingMissed() names a request that matches no operation: %s', async (request, hint) => {
  const { mock, send } = open();
  const { status, body } = await send(request);
  expect([status, body.error]).toEqual([404, `No operation at ${request}${hint}`]);
  expect(missed(mock)).toEqual([`No operation at ${request}${hint}`]);
  expect(missed(mock, { unknownRequests: false })).toEqual([]);
});

test('expectNothingMissed() names a fault that was planned once and never used, with its values', async () => {
  const { mock, send } = open();
  const fail = { status: 503 };
  mock.faults.once('agents.list', fail);
  mock.faults.once('agents.list', fail);
  mock.faults.once('leads.create', { status: 500, match: { body: { phone: PHONE } } });
  mock.faults.once('leads.list', { network: 'error', skip: 1 });
  mock.faults.once('leads.list', () => undefined);
  mock.webhooks.deliveryFaults.once({ copies: 2 });
  await send('agents.list');
  expect(missed(mock)).toEqual([
    `faults.once('agents.list', {"status":503}) was never used`,
    `faults.once('leads.create', {"status":500,"match":{"body":{"phone":"${PHONE}"}}}) was never used`,
    `faults.once('leads.list', {"network":"error","skip":1}) was never used`,
    `faults.once('leads.list', a function) was never used`,
    'webhooks.deliveryFaults.once({"copies":2}) was never used',
  ]);
  expect(missed(mock, { unusedFaults: false })).toEqual([]);
  mock.faults.clear();
  mock.webhooks.deliveryFaults.clear();
  expect(missed(mock)).toEqual([]);
});

test('faults that are planned always, random, removed or from data do not count as missed', async () => {
  const { mock, send } = open({ data: { faults: [{ operation: 'leads.list', fault: { status: 500 } }] } });
  mock.faults.always('agents.list', { status: 503 });
  mock.faults.once('agents.list', { status: 503, probability: 0.5 });
  expect(mock.faults.remove(mock.faults.once('leads.create', { status: 500 }))).toBe(true);
  // The function was used, although it returned no fault.
  mock.faults.once('leads.create', () => undefined);
  await send('leads.create', { body: { phone: PHONE } });
  expect(missed(mock)).toEqual([]);
});

test('requests and faults from before a reset or a clear do not count as missed', async () => {
  const { mock, send } = open();
  const before = mock.snapshot();
  for (const forget of [() => mock.reset(), () => mock.restore(before)]) {
    mock.faults.once('agents.list', { status: 503 });
    await send('GET /tags');
    forget();
    expect(missed(mock)).toEqual([]);
  }
  await send('GET /tags');
  mock.requests.clear();
  expect(missed(mock)).toEqual([]);
});

test('expectNothingMissed() counts equal requests, and lists at most ten lines', async () => {
  const { mock, send } = open();
  for (let sent = 0; sent < 13; sent += 1) {
    await send(`GET /nowhere-at-all/${Math.max(sent - 2, 0)}`);
  }
  expect(missed(mock)).toHaveLength(11);
  expect(missed(mock)[0]).toBe('No operation at GET /nowhere-at-all/0 (3 times)');
  expect(missed(mock)[10]).toBe('and 1 more');
});

test('expectNothingMissed() checks a remote mock and each of its worlds asynchronously', async () => {
  const { mock, server } = await start();
  const remote = await connectMock(server.url);
  await using world = await remote.worlds.create();
  await remote.faults.once('leads.list', { status: 500 });
  mock.faults.once('leads.list', () => undefined);
  mock.webhooks.deliveryFaults.once({ delayMs: 5 });
  await createClient({ ...world.clientOptions, retry: false })
    .request({ method: 'GET', path: '/tags' })
    .catch(() => {});
  await expect(expectNothingMissed(remote)).rejects.toThrow(
    `missed something:\n  faults.once('leads.list', {"status":500}) was never used\n  faults.once('leads.list', a function) was never used\n  webhooks.deliveryFaults.once({"delayMs":5})`,
  );
  await expect(expectNothingMissed(world)).rejects.toThrow('missed something:\n  No operation at GET /tags');
  await expectNothingMissed(remote, { unusedFaults: false });
  await expectNothingMissed(world, { unknownRequests: false });
});

test('expectNothingMissed() refuses a value that is not a mock, and unknown or invalid options', () => {
  const mock = createMock();
  for (const [received, options, says] of [
    [{}, {}, 'expectNothingMissed() must be called with a mock that'],
    [mock, { unusedFault: false }, 'Did you mean `unusedFaults`?'],
    [mock, { unusedFaults: 0 }, '`unusedFaults` must be true or false'],
  ] as const) {
    expect(() => expectNothingMissed(received as never, options as never)).toThrow(says);
  }
});

// `test.fails` passes only if the fixture makes the test fail.
withFixture.fails('the vitest fixture fails a test whose app called an unknown path', async ({ confab }) => {
  await confab.request({ method: 'GET', path: '/api/v2/public/tags' }).catch(() => {});
});

withFixture.fails('the vitest fixture fails a test that planned a fault which was never used', ({ mock }) => {
  mock.faults.once('leads.list', { status: 500 });
});

let errors: string[] | undefined;

withFixture.fails('a test that fails by itself keeps its error', ({ mock, task, onTestFailed }) => {
  onTestFailed(() => {
    errors = task.result?.errors?.map(({ message }) => message);
  });
  mock.faults.once('leads.list', { status: 500 });
  throw new Error('the first error');
});

test('the vitest fixture adds nothing to the errors of a test that has failed already', () => {
  expect(errors).toEqual(['the first error']);
});

withFixture.describe('with failOn', () => {
  withFixture.override('failOn', { unknownRequests: false, unusedFaults: false });

  withFixture('the vitest fixture ignores unknown requests and unused faults', async ({ mock, confab }) => {
    mock.faults.once('leads.list', { status: 500 });
    await confab.request({ method: 'GET', path: '/api/v2/public/tags' }).catch(() => {});
  });
});
