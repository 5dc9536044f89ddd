/**
 * Names the kind of an error: a smaller input that fails in another way is not a smaller form of this one. The values
 * that `same()` puts into its messages differ with every input, so they do not count.
 */
export const kindOf = ({ name, message }: Error): string =>
  `${name}: ${message
    .replace(/: got .*/s, '')
    .slice(0, 40)
    .replaceAll(/\d+/g, '#')}`;

/** Tries at most, in a search for a smaller input. */
const MOST_TRIES = 3_000;

/** Milliseconds after which a search ends: each try with an input that hangs takes seconds. */
const MOST_MS = 60_000;

/**
 * Removes pieces of an input, ever smaller ones, as long as it fails in the same way. Returns the smallest input that was
 * found within 3,000 tries and a minute.
 *
 * @param fails Whether an input fails in that way.
 * @param now The time in milliseconds.
 */
export const minimize = async (
  input: Uint8Array,
  fails: (input: Uint8Array) => Promise<boolean>,
  now = () => performance.now(),
): Promise<Uint8Array> => {
  let smallest = Buffer.from(input);
  const endsAt = now() + MOST_MS;
  let tries = 0;
  for (let size = smallest.length >> 1; size > 0; size >>= 1) {
    for (let at = 0; at < smallest.length && tries < MOST_TRIES && now() < endsAt; ) {
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
