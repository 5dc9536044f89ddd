import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createGrowingBuffer } from '../src/index.ts';

test('a growing buffer joins pieces of any size, whatever size was announced', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 3_000 }), { maxLength: 30 }),
      fc.integer({ min: 0, max: 200_000 }),
      (pieces, announced) => {
        const whole = Buffer.concat(pieces);
        const buffer = createGrowingBuffer(100_000, announced);
        const copies = pieces.map((piece) => piece.slice());
        expect(pieces.every((piece) => buffer.append(piece))).toBe(true);
        expect(Buffer.from(buffer.bytes()).equals(whole)).toBe(true);
        expect(pieces).toEqual(copies);
      },
    ),
  );
});

test('a growing buffer holds exactly its limit of bytes, and refuses one more', () => {
  for (const sizes of [[10], [9, 1], [1, 9], Array.from({ length: 10 }, () => 1)]) {
    const buffer = createGrowingBuffer(10);
    expect(sizes.every((size) => buffer.append(new Uint8Array(size)))).toBe(true);
    expect(buffer.append(new Uint8Array(1))).toBe(false);
    expect(buffer.bytes().byteLength).toBe(10);
  }
  expect(createGrowingBuffer(10).append(new Uint8Array(11))).toBe(false);
});

test('bytes() of a growing buffer returns a plain Uint8Array even if the first piece is a slice of a Buffer', () => {
  const buffer = createGrowingBuffer(10);
  buffer.append(Buffer.from('xabcx').subarray(1, 4));
  expect(Buffer.isBuffer(buffer.bytes())).toBe(false);
  expect(new TextDecoder().decode(buffer.bytes())).toBe('abc');
});
