import type { HeadersLike } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';

/** The headers that `onError` receives for a delivery without a signature. */
const entriesOf = async (headers: unknown): Promise<[string, string][]> => {
  const webhooks = createWebhooks({ secret: 'a secret of the test', signature: { header: 'x-sig' } });
  const { promise, resolve } = Promise.withResolvers<[string, string][]>();
  webhooks.onError((_, context) => resolve([...context.headers]));
  await webhooks.receive({ method: 'POST', headers: headers as HeadersLike, body: '' });
  return promise;
};

test.each<[title: string, headers: unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['a number', 5],
  ['a text', 'x-sig: 1'],
  ['a number as a name', [[5, 'v']]],
  ['a number as a value', { x: 5 }],
  ['null instead of a pair', new Set([null])],
  ['a text instead of a pair', new Set(['xv'])],
  ['a name without a value', ['x-first']],
  ['a name that HTTP forbids', { 'x y': 'v' }],
])('%s is skipped', async (_, headers) => {
  expect(await entriesOf(headers)).toEqual([]);
});

test('the texts among several values are kept', async () => {
  expect(await entriesOf({ x: ['a', 5, 'b', null] })).toEqual([['x', 'a, b']]);
});
