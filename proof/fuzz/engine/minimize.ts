/** Names the kind of an error: a smaller input that fails in another way is not a smaller form of this one. */
export const kindOf = ({ name, message }: Error): string =>
  `${name}: ${message.slice(0, 40).replaceAll(/\d+/g, '#')}`;

/** Tries at most, in a search for a smaller input. */
const MOST_TRIES = 3_000;

/**
 * Removes pieces of an input, ever smaller ones, as long as it fails in the same way.
 *
 * @param fails Whether an input fails in that way.
 */
export const minimize = async (
  input: Uint8Array,
  fails: (input: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> => {
  let smallest = Buffer.from(input);
  let tries = 0;
  for (let size = smallest.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < smallest.length && tries < MOST_TRIES; ) {
      tries += 1;
      const candidate = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      if (await fails(candidate)) {
        smallest = candidate;
      } else {
        at += size;
      }
    }
  }
  return smallest;
};
