import { createClient } from '@confab/client';
import { expect, test } from 'vitest';
import type { Mock } from '../../src/index.ts';
import { createMock } from '../../src/index.ts';
import type { RunnerState } from '../../src/matchers/index.ts';
import { matchers } from '../../src/matchers/index.ts';
import { connectMock } from '../../src/remote/index.ts';
import { delivered } from '../support/receiver.ts';
import { start } from '../support/serving.ts';

expect.extend(matchers);

const PHONE = '+5511987654321';

test('the matchers are asynchronous for a remote mock or a world', async () => {
  const { mock, server } = await start();
  const remote = await connectMock(server.url);
  await using world = await remote.worlds.create();
  for (const other of [remote, world]) {
    await createClient(other.clientOptions).leads.create({ phone: PHONE });
    await expect(other).toHaveReceived('leads.create', { phone: PHONE });
    await expect(other).not.toHaveReceived('leads.list');
    const wrong = async () => expect(other).toHaveReceived('leads.create', { phone: 'x' });
    await expect(wrong()).rejects.toThrow('there was one, which does not fit');
    const none = async () => expect(other).toHaveDelivered('message.created');
    await expect(none()).rejects.toThrow('mock.webhooks.add()');
  }
  await delivered(mock, { fetch: () => new Response() });
  await expect(remote).toHaveDelivered('test');
});

/** Playwright's `this`: its `equals` throws. */
const PLAYWRIGHT: RunnerState = {
  equals: () => {
    throw new Error('not compatible with Playwright');
  },
  utils: { stringify: (value) => JSON.stringify(value) },
};

const WORLD = createMock();

const passes = (state: RunnerState, sent: unknown, wanted: unknown): boolean => {
  const deliveries = [{ event: 'given', state: 'delivered', data: { value: sent } }];
  const mock = { ...WORLD, webhooks: { deliveries, endpoints: [] } } as unknown as Mock;
  const verdict = matchers.toHaveDelivered.call(state, mock, 'given', { value: wanted });
  return (verdict as { pass: boolean }).pass;
};

test('the matchers compare values as JSON without the comparison of the runner', () => {
  const value = { a: [1, { b: 'x' }], c: null };
  const cases: [sent: unknown, wanted: unknown, pass: boolean][] = [
    [value, structuredClone(value), true],
    [value, { a: [1, { b: 'x' }], c: null, d: undefined }, true],
    [value, { a: [1, { b: 'x' }] }, false],
    [value, { a: [1, { b: 'y' }], c: null }, false],
    [value, { a: [1], c: null }, false],
    [value, { a: { 0: 1, 1: { b: 'x' } }, c: null }, false],
    [value, { a: [1, { b: expect.any(String) }], c: null }, true],
    [value, expect.objectContaining({ c: null }), true],
    [value, expect.not.objectContaining({ c: null }), false],
    [{}, { toString: expect.any(Function) }, false],
    [null, null, true],
    [null, {}, false],
    ['x', 'x', true],
    [1, '1', false],
  ];
  for (const [sent, wanted, pass] of cases) {
    expect([sent, wanted, passes(PLAYWRIGHT, sent, wanted)]).toEqual([sent, wanted, pass]);
  }
});

test('the matchers leave the asymmetric matchers of Bun, which are native objects, to its own comparison', () => {
  class Native {
    readonly [Symbol.toStringTag] = 'ExpectAnything';
  }
  const bun: RunnerState = {
    equals(_actual, expected) {
      expect(this).toBe(bun);
      return expected === 0 || expected instanceof Native;
    },
    utils: { stringify: () => '{\n  phone: "x",\n  list: [\n    1,\n  ],\n}' },
  };
  const mock = createMock();
  const verdict = matchers.toHaveReceived.call(bun, mock, 'leads.list', new Native() as never);
  expect(verdict).toMatchObject({ pass: false });
  // Each value stays on one line.
  const { message } = verdict as { message(): string };
  expect(message()).toContain('a request of leads.list with { phone: "x", list: [ 1 ] }; there was none');
});
