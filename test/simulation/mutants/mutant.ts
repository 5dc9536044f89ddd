/** A change of one place in the code. */
export interface Replacement {
  /** The file, from the root of the repository. */
  readonly file: string;
  /** The code as it is. It must occur exactly once. */
  readonly from: string;
  readonly to: string;
}

/** A fault that the simulation must find when it is put into the code. */
export interface Mutant {
  readonly name: string;
  /** What goes wrong. */
  readonly fault: string;
  /** The commit that fixed it: its hash and its subject; `undefined` if the code never had it. */
  readonly fixedBy: readonly [hash: string, subject: string] | undefined;
  readonly replacements: readonly Replacement[];
}

/**
 * Makes one replacement.
 *
 * @throws {@link Error} When its code does not occur exactly once, because the file has changed since.
 */
export const replaceOnce = (source: string, { file, from, to }: Replacement): string => {
  const parts = source.split(from);
  if (parts.length !== 2) {
    throw new Error(`${file} contains this code ${parts.length - 1} times instead of once: ${from}`);
  }
  return parts.join(to);
};
