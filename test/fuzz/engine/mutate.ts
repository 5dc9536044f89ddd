import { mutateJson } from './mutate-json.ts';
import type { Random } from './random.ts';

const NUMBERS = [
  '0',
  '-1',
  '1',
  '1e9',
  '0.5',
  '9007199254740992',
  '4294967296',
  '99999999999999999999',
  '00',
];
/** Bytes that mean something to a parser, or are not UTF-8. */
const BYTES = [
  0x00, 0x09, 0x0a, 0x0d, 0x20, 0x22, 0x25, 0x26, 0x2c, 0x2d, 0x3a, 0x3d, 0x5c, 0x7b, 0x7f, 0x80, 0xc3, 0xff,
];

const splice = (input: Buffer, at: number, removed: number, inserted: Uint8Array): Buffer =>
  Buffer.concat([input.subarray(0, at), inserted, input.subarray(at + removed)]);

/** Changes the JSON after the first empty line, or the whole input if it has none. */
const changeJson = (input: Buffer, words: readonly string[], random: Random): Buffer | undefined => {
  const empty = input.indexOf('\n\n');
  const start = empty < 0 ? 0 : empty + 2;
  const changed = mutateJson(input.toString('utf8', start), words, random);
  return changed === undefined ? undefined : splice(input, start, input.length, Buffer.from(changed));
};

const change = (input: Buffer, other: Uint8Array, words: readonly string[], random: Random): Buffer => {
  const at = random.below(input.length + 1);
  const length = Math.min(input.length - at, 1 + random.below(random.below(4) === 0 ? 64 : 4));
  const piece = () => input.subarray(at, at + length);
  switch (random.below(11)) {
    case 0:
      return splice(input, at, 1, Uint8Array.of((input[at] ?? 0) ^ (1 << random.below(8))));
    case 1:
      return splice(input, at, random.below(2), Uint8Array.of(random.pick(BYTES)));
    case 2:
      return splice(input, at, random.below(2), Uint8Array.of(0x20 + random.below(0x5f)));
    case 3:
      return splice(input, at, length, Buffer.alloc(0));
    case 4:
      return splice(input, at, 0, Buffer.concat(Array.from({ length: 1 + random.below(8) }, piece)));
    case 5:
      return splice(input, random.below(input.length + 1), 0, piece());
    case 6: {
      const from = random.below(other.length + 1);
      return splice(input, at, length, other.subarray(from, from + 1 + random.below(64)));
    }
    case 7:
      return splice(input, at, 0, Buffer.from(random.pick(NUMBERS)));
    case 8:
      return words.length === 0
        ? input
        : splice(input, at, random.below(2) * length, Buffer.from(random.pick(words)));
    default:
      return changeJson(input, words, random) ?? splice(input, at, 1, Uint8Array.of(random.below(256)));
  }
};

/**
 * Changes an input in one or more places.
 *
 * @param other Another input, from which pieces are taken.
 */
export const mutate = (
  input: Uint8Array,
  other: Uint8Array,
  { words, maxBytes, random }: { words: readonly string[]; maxBytes: number; random: Random },
): Uint8Array => {
  let changed: Buffer = Buffer.from(input);
  do {
    changed = change(changed, other, words, random);
  } while (random.below(3) > 0);
  return changed.subarray(0, maxBytes);
};
