/** A function under test, and what must hold for each input. */
export interface Target {
  /** Lists what is checked, for the page of results. */
  readonly checks: string;
  /** The largest input in bytes. */
  readonly maxBytes: number;
  /** The most branches that an input of this many bytes may take. */
  readonly work: (bytes: number) => number;
  /** Words to try in addition to the literals of the sources. */
  readonly words?: readonly string[] | undefined;
  /** Runs one input. Throws if a property does not hold; expected errors are checked inside. */
  readonly run: (input: Uint8Array) => void | Promise<void>;
}

/** A property does not hold. */
class PropertyError extends Error {
  override readonly name = 'PropertyError';
}

/** @throws PropertyError When the condition is false. */
export function hold(condition: unknown, message: string): asserts condition {
  if (!condition) {
    throw new PropertyError(message);
  }
}

/** @throws PropertyError When the two differ, as JSON writes them. */
export const same = (given: unknown, wanted: unknown, message: string): void => {
  const [left, right] = [JSON.stringify(given), JSON.stringify(wanted)];
  hold(left === right, `${message}: got ${left?.slice(0, 300)}, wanted ${right?.slice(0, 300)}`);
};
