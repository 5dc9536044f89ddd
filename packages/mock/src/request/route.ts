import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';

/** The operation of a request, and the parameters in its path. */
export interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

const patterns = Object.values(operations).map((operation) => ({
  operation: operation as Operation & { readonly id: OperationId },
  segments: operation.path.split('/'),
}));

/** A part of a path without its percent-encoding; the raw text, which the check of the parameters refuses, if that is invalid. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * The parameters in a path, if it has the form of a pattern such as `/leads/{id}`.
 *
 * @param pattern The pattern, split at its slashes.
 * @param path The path, split in the same way.
 */
export const matchPath = (
  pattern: readonly string[],
  path: readonly string[],
): Readonly<Record<string, string>> | undefined => {
  if (pattern.length !== path.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [at, wanted] of pattern.entries()) {
    const given = path[at] ?? '';
    if (wanted.startsWith('{')) {
      if (given === '') {
        return undefined;
      }
      params[wanted.slice(1, -1)] = decoded(given);
    } else if (given !== wanted) {
      return undefined;
    }
  }
  return params;
};

/** Finds the operation with a method and a path, in the table of the contract. */
export const routeOf = (method: string, path: string): Route | undefined => {
  const given = path.split('/');
  for (const { operation, segments } of patterns) {
    const params = operation.method === method ? matchPath(segments, given) : undefined;
    if (params !== undefined) {
      return { id: operation.id, operation, params };
    }
  }
  return undefined;
};
