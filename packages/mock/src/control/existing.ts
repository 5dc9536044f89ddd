import { notFound } from '../errors/refusal.ts';

/** @throws {@link Refusal} 404, when what was asked for does not exist. */
export const existing = <T>(found: T | undefined | false, message: string): T => {
  if (found === undefined || found === false) {
    throw notFound(message);
  }
  return found;
};

/**
 * The result of an operation that deletes something.
 *
 * @throws {@link Refusal} 404, when that did not exist.
 */
export const deleted = (existed: boolean, message: string) => ({
  data: { deleted: existing<true>(existed, message) },
});
