import type { Lead } from '@confab/client/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMock } from '../../src/index.ts';
import { normalizePhone } from '../../src/world/store/phone.ts';
import { open } from '../support/hosts.ts';

test('E.164 stays as it is, also of an unknown country or an unusual length', () => {
  for (const phone of ['+5511987654321', '+5511987', '+12345', '+9991234567', '+123456789012345']) {
    expect(normalizePhone(phone)).toBe(phone);
  }
});

test('an international number may be written with any punctuation, and space around it', () => {
  for (const [written, phone] of [
    ['+55 (11) 98765-4321', '+5511987654321'],
    [' +5511987654321\n', '+5511987654321'],
    ['(+55) 11.98765.4321', '+5511987654321'],
    ['+44 (0)20 7946 0958', '+442079460958'],
    ['(+44) (0)20 7946 0958', '+442079460958'],
    ['+55 11 987', '+5511987'],
    ['+1-2345', '+12345'],
    ['+999 123\u00a04567', '+9991234567'],
    ['+999\u20111234567', '+9991234567'],
  ] as const) {
    expect([written, normalizePhone(written)]).toEqual([written, phone]);
  }
});

test('a number is the same however its digits are grouped', () => {
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

test('an invalid phone is refused, and none is extracted from a text', () => {
  for (const value of [
    '',
    ' ',
    '+',
    'none',
    '98765-4321',
    '+0123456789',
    '+1234',
    '+1234567890123456',
    '++5511987654321',
    '+55+11987654321',
    'call +5511987654321 now',
    '+5511987654321, or +5511987654322',
    '+12345x',
  ]) {
    expect([value, normalizePhone(value)]).toEqual([value, undefined]);
  }
});

test('a national number needs its country', () => {
  expect(normalizePhone('(11) 98765-4321')).toBeUndefined();
  expect(normalizePhone(' (11) 98765-4321 ', 'BR')).toBe('+5511987654321');
  expect(normalizePhone('+1 202 555 0100', 'BR')).toBe('+12025550100');
});

test('defaultCountry decides which national numbers are valid', async () => {
  const body = { phone: '(11) 98765-4321' };
  expect((await open().send('leads.create', { body })).status).toBe(400);
  const { mock, send } = open({ defaultCountry: 'BR' });
  const answer = await send<Lead>('leads.create', { body });
  expect(answer.body.data.phone).toBe('+5511987654321');
  expect(() => mock.leads.create(body)).toThrow('+5511987654321');
});

test('two spellings of an unusual number are one lead', async () => {
  const { mock, send } = open();
  const create = async (phone: string) => (await send('leads.create', { body: { phone } })).status;
  expect([await create('+55 11 987'), await create('+5511987'), await create(' +55-11-987 ')]).toEqual([
    201, 409, 409,
  ]);
  expect(mock.leads.find()).toMatchObject([{ phone: '+5511987' }]);
});

test('normalizing a normalized phone changes nothing', () => {
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

test('updating another field does not change a phone, and a dump can be loaded', () => {
  const mock = createMock();
  for (const phone of ['+234004068650902', '+43006026']) {
    const lead = mock.leads.create({ phone });
    expect(mock.leads.update(lead.id, { status: 'active' }).phone).toBe(lead.phone);
  }
  expect(createMock({ data: mock.dump() }).leads.count()).toBe(2);
});
