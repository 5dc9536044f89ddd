/**
 * What every error of this package extends.
 *
 * @example
 * ```ts
 * try {
 *   await confab.leads.create({ phone });
 * } catch (error) {
 *   if (error instanceof ConfabError) console.error(error.code, error.message);
 * }
 * ```
 */
export abstract class ConfabError extends Error {
  abstract override readonly name: string;
  /** Says what went wrong, for programs: it does not change between versions. */
  abstract readonly code: string;
}
