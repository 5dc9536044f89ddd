import type { Operation, OperationId } from '@confab/client/contract';
import { operations } from '@confab/client/contract';

/** The parameters in a path. */
export type PathParams = Readonly<Record<string, string>>;

/** The operation of a request, and the parameters in its path. */
export interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly params: PathParams;
}

/** Decodes a part of a path. Invalid percent-encoding stays as it is, and the check of the parameters refuses it. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/** The parameters in a path that has the form of a pattern, such as `leads/{id}`. Both are split at their slashes. */
export const matchPath = (pattern: readonly string[], path: readonly string[]): PathParams | undefined => {
  if (pattern.length !== path.length) {
    return undefined;
  }
  const params: Record<string, string> = {};
  for (const [at, wanted] of pattern.entries()) {
    const given = path[at] ?? '';
    const isParameter = wanted.startsWith('{');
    if (isParameter ? given === '' : given !== wanted) {
      return undefined;
    }
    if (isParameter) {
      params[wanted.slice(1, -1)] = decoded(given);
    }
  }
  return params;
};

const patterns = Object.values(operations).map((operation) => ({
  operation,
  segments: operation.path.split('/'),
}));

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
