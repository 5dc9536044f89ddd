import type { Lead } from '@confab/client/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizePhone } from '../../src/world/store/phone.ts';
import { open } from '../support/hosts.ts';

test.each<[written: string, phone: string | undefined, country?: string]>([
  ['+5511987654321', '+5511987654321'],
  // An unknown country, or an unusual length.
  ['+9991234567', '+9991234567'],
  ['+123456789012345', '+123456789012345'],
  // Punctuation, and spaces around the number.
  ['+55 (11) 98765-4321', '+5511987654321'],
  ['(+44) (0)20 7946 0958', '+442079460958'],
  ['+999\u20111234567', '+9991234567'],
  // A national number needs its country.
  ['(11) 98765-4321', undefined],
  [' (11) 98765-4321 ', '+5511987654321', 'BR'],
  // Text around a number.
  ['', undefined],
  ['+0123456789', undefined],
  ['+1234', undefined],
  ['+1234567890123456', undefined],
  ['+55+11987654321', undefined],
  ['call +5511987654321 now', undefined],
  ['+5511987654321, or +5511987654322', undefined],
])('normalizePhone(%j) returns %j', (written, phone, country) => {
  expect(normalizePhone(written, country)).toBe(phone);
});

test('normalizePhone() returns the same number however its digits are grouped', () => {
  const between = fc.constantFrom('', '', ' ', '-', '.', '/', ' - ', '\u00a0', '\u2011');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(9), between), { minLength: 5, maxLength: 15 }),
      fc.constantFrom('', ' ', '\t\n'),
      (groups, outer) => {
        const plain = `+${groups.map(([digit]) => digit).join('')}`;
        const written = `${outer}+${groups.map((group) => group.join('')).join('')}${outer}`;
        expect(normalizePhone(written)).toBe(normalizePhone(plain));
      },
    ),
    { numRuns: 500 },
  );
});

test('a national phone number is valid only with the option defaultCountry', async () => {
  const body = { phone: '(11) 98765-4321' };
  expect((await open().send('leads.create', { body })).status).toBe(400);
  const { mock, send } = open({ defaultCountry: 'BR' });
  const answer = await send<Lead>('leads.create', { body });
  expect(answer.body.data.phone).toBe('+5511987654321');
  expect(() => mock.leads.create(body)).toThrow('+5511987654321');
});

test('normalizePhone() does not change a normalized number', () => {
  const known = ['+234004068650902', '+5980050270010', '+43006026'];
  fc.assert(
    fc.property(fc.stringMatching(/^\+[1-9]\d{4,14}$/), (phone) => {
      const stored = normalizePhone(phone);
      if (stored !== undefined) {
        expect(normalizePhone(stored)).toBe(stored);
      }
    }),
    { numRuns: 20_000, examples: known.map((phone): [string] => [phone]) },
  );
});
