import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Operation } from '../src/contract/index.ts';
import { DateTimeSchema, operations } from '../src/contract/index.ts';

const all: Operation[] = Object.values(operations);

describe('the table of operations', () => {
  test.each(all.map((operation) => [operation.id, operation] as const))(
    '%s has a parameter for each name in its path, and a body only if it writes',
    (_, { method, path, params, body }) => {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(Object.keys(params?.def.shape ?? {})).toEqual(names);
      expect(body === undefined).toBe(method === 'GET');
    },
  );

  test('only reads and the update of a lead may be repeated after an unknown outcome', () => {
    const harmless = all.filter(({ idempotent }) => idempotent).map(({ id }) => id);
    expect(harmless).toEqual(
      [...all.filter(({ method }) => method === 'GET').map(({ id }) => id), 'leads.update'].sort(
        (a, b) => harmless.indexOf(a) - harmless.indexOf(b),
      ),
    );
  });
});

test('a date-time is one that exists, with an offset that exists', () => {
  const reference = z.iso.datetime({ offset: true });
  const two = (most: number) => fc.nat(most).map((number) => String(number).padStart(2, '0'));
  const near = fc.tuple(
    fc.oneof(fc.nat(9_999), fc.constantFrom(0, 4, 100, 1900, 2000, 2024, 2026)),
    // Mostly right, so that each part is the only wrong one often enough.
    fc.oneof({ weight: 3, arbitrary: two(12) }, two(99)),
    fc.oneof({ weight: 3, arbitrary: fc.constantFrom('01', '28', '29', '30', '31', '32') }, two(99)),
    fc.oneof({ weight: 3, arbitrary: two(24) }, two(99)),
    fc.oneof({ weight: 3, arbitrary: two(60) }, two(99)),
    fc.oneof({ weight: 3, arbitrary: two(60) }, two(99)),
    fc.constantFrom('', '.0', '.123456789012', '.'),
    fc.oneof(
      fc.constantFrom('Z', '', '+00:00', '-23:59', '+24:00', '+99:99', '+0100', '+01'),
      fc
        .tuple(fc.constantFrom('+', '-'), two(30), two(70))
        .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
    ),
  );
  fc.assert(
    fc.property(near, ([year, month, day, hour, minute, second, fraction, offset]) => {
      const value = `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${fraction}${offset}`;
      expect([value, DateTimeSchema.safeParse(value).success]).toEqual([
        value,
        reference.safeParse(value).success,
      ]);
    }),
    { numRuns: 20_000 },
  );
});
