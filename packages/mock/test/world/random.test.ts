import { IdSchema } from '@confab/client/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Random } from '../../src/world/store/random.ts';

test('an id sorts after all earlier ones, and after those that it was told of, whatever their form', () => {
  const hex = (length: number) =>
    fc.array(fc.constantFrom(...'0123456789abcdef'), { minLength: length, maxLength: length });
  const ownForm = fc
    .tuple(hex(8), hex(4), hex(3), hex(3), hex(12))
    .map((parts) => parts.map((part) => part.join('')))
    .map(([a, b, c, d, e]) => `${a}-${b}-8${c}-9${d}-${e}`);
  const told = fc.oneof(fc.uuid(), ownForm, fc.constant('ffffffff-ffff-8fff-bfff-ffffffffffff'), fc.string());
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.array(told, { maxLength: 30 }), (seed, ids) => {
      const random = new Random(seed);
      let last = random.id();
      for (const id of ids) {
        random.follow(id.toUpperCase());
        const made = random.id();
        expect(IdSchema.safeParse(made).success, made).toBe(true);
        expect(made > last).toBe(true);
        // Above this there is no room to count on.
        if (/^[\da-b][\da-f]{7}-[\da-f]{4}-8/.test(id)) {
          expect(made > id).toBe(true);
        }
        last = made;
      }
    }),
  );
});
