import type { HeadersLike } from '@confab/webhooks';
import { createWebhooks } from '@confab/webhooks';
import { expect, test } from 'vitest';
import { toHeaders } from '../src/signature/headers.ts';

const entriesOf = (headers: unknown) => [...toHeaders(headers)];

test.each([undefined, null, 5, 'x-sig: 1', true])('headers of %o have no signature', async (headers) => {
  const webhooks = createWebhooks({ secret: 'a secret of the test', signature: { header: 'x-sig' } });
  await expect(webhooks.verify('{}', headers as unknown as HeadersLike)).rejects.toMatchObject({
    code: 'MISSING_SIGNATURE',
  });
  expect(entriesOf(headers)).toEqual([]);
});

test.each<[title: string, headers: unknown]>([
  ['a number as a name', [[5, 'v']]],
  ['a number as a value', { x: 5 }],
  ['null instead of a pair', new Set([null])],
  ['a text instead of a pair', new Set(['xv'])],
  ['a name without a value', ['x-first']],
  ['a name that HTTP forbids', { 'x y': 'v' }],
])('%s is skipped', (_, headers) => {
  expect(entriesOf(headers)).toEqual([]);
});

test('the texts among several values are kept', () => {
  expect(entriesOf({ x: ['a', 5, 'b', null] })).toEqual([['x', 'a, b']]);
});
